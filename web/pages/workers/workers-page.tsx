import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { type OwnedWorker, useOwnedWorkers } from '#web/api/use-owned-workers.ts'
import { WaitingField } from '#web/shell/waiting-field.tsx'
import { ClosedGate } from '#web/shell/closed-gate.tsx'
import { ForWhom } from '#web/shell/for-whom.tsx'
import { PageHeader } from '#web/shell/page-header.tsx'
import { Unreachable } from '#web/shell/unreachable.tsx'
import { Button } from '#web/ui/button.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { useInSight } from '#web/ui/in-sight.ts'
import { Loading } from '#web/ui/loading.tsx'
import { words } from '#web/messages/en.ts'
import { WorkerCard } from './worker-card.tsx'
import styles from './workers.module.css'

export default function WorkersPage() {
  return (
    <>
      <PageHeader current="myfarm" title={words.workers.page} sub={words.workers.sub} />
      <ForWhom
        visitor={<ClosedGate title={words.farm.connectFirst} text={words.farm.gateText} />}
        player={<OwnWorkers />}
      />
    </>
  )
}

function OwnWorkers() {
  const workers = useOwnedWorkers()
  if (workers.isPending) {
    return (
      <Frame>
        <Loading text={words.workers.loading} />
      </Frame>
    )
  }
  if (!workers.data) {
    const retry = (): void => void workers.refetch()
    return <Unreachable title={words.farm.failed} text={words.farm.failedText} retry={retry} />
  }
  if (workers.data.length === 0) return <WaitingField />
  return <Cards workers={workers.data} />
}

/** Cards that come at once: more than fill any window. */
const PAGE = 60

function Cards({ workers }: { workers: readonly OwnedWorker[] }) {
  const [count, setCount] = useState(PAGE)
  const showMore = useCallback(() => setCount((shown) => shown + PAGE), [])
  return (
    <section aria-labelledby="your-workers">
      <h2 className={styles.skyTitle} id="your-workers">
        {words.workers.yours}
      </h2>
      <div className={styles.wk}>
        {workers.slice(0, count).map((worker) => (
          <WorkerCard key={worker.workerId} worker={worker} />
        ))}
      </div>
      {count < workers.length ? <More key={count} onReach={showMore} /> : null}
    </section>
  )
}

/** The end of what is shown: when it comes into sight the next cards follow, or when it is pressed. */
function More({ onReach }: { onReach: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  const reached = useInSight(place)
  useEffect(() => {
    if (reached) startTransition(onReach)
  }, [reached, onReach])
  return (
    <div className={styles.more} ref={place}>
      <Button onClick={onReach}>{words.history.more}</Button>
    </div>
  )
}
