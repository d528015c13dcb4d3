import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { type OwnedWorker, useOwnedWorkers } from '#web/api/use-owned-workers.ts'
import { EmptyFarm } from '#web/shell/empty-farm.tsx'
import { LoginGate } from '#web/shell/login-gate.tsx'
import { AuthSplit } from '#web/shell/auth-split.tsx'
import { PageHeader } from '#web/shell/page-header.tsx'
import { Unreachable } from '#web/shell/unreachable.tsx'
import { Button } from '#web/ui/button.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { useInView } from '#web/ui/use-in-view.ts'
import { Loading } from '#web/ui/loading.tsx'
import { messages } from '#web/messages/en.ts'
import { WorkerCard } from './worker-card.tsx'
import styles from './workers.module.css'

export default function WorkersPage() {
  return (
    <>
      <PageHeader title={messages.workers.page} sub={messages.workers.sub} />
      <AuthSplit
        visitor={<LoginGate title={messages.farm.connectFirst} text={messages.farm.gateText} />}
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
        <Loading text={messages.workers.loading} />
      </Frame>
    )
  }
  if (!workers.data) {
    const retry = (): void => void workers.refetch()
    return <Unreachable title={messages.farm.failed} text={messages.farm.failedText} retry={retry} />
  }
  if (workers.data.length === 0) return <EmptyFarm />
  return <Cards workers={workers.data} />
}

/** Cards that are rendered at once: more than fit any window. */
const PAGE = 60

function Cards({ workers }: { workers: readonly OwnedWorker[] }) {
  const [count, setCount] = useState(PAGE)
  const showMore = useCallback(() => setCount((shown) => shown + PAGE), [])
  return (
    <section aria-labelledby="your-workers">
      <h2 className={styles.skyTitle} id="your-workers">
        {messages.workers.yours}
      </h2>
      <div className={styles.cards}>
        {workers.slice(0, count).map((worker) => (
          <WorkerCard key={worker.workerId} worker={worker} />
        ))}
      </div>
      {count < workers.length ? <More key={count} onReach={showMore} /> : null}
    </section>
  )
}

/** The end of the list. More cards follow when it scrolls into view or is pressed. */
function More({ onReach }: { onReach: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  const reached = useInView(place)
  useEffect(() => {
    if (reached) startTransition(onReach)
  }, [reached, onReach])
  return (
    <div className={styles.more} ref={place}>
      <Button onClick={onReach}>{messages.history.more}</Button>
    </div>
  )
}
