import { useSession } from '#web/api/session.ts'
import { useOwnedWorkers } from '#web/api/use-owned-workers.ts'
import { useServerNow } from '#web/api/use-server-now.ts'
import { WaitingField } from '#web/pages/my-farm/waiting-field.tsx'
import { ClosedGate } from '#web/shell/closed-gate.tsx'
import { PageHeader } from '#web/shell/page-header.tsx'
import { Unreachable } from '#web/shell/unreachable.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { words } from '#web/words/en.ts'
import { WorkerCard } from './worker-card.tsx'
import styles from './workers.module.css'

export default function WorkersPage() {
  return (
    <>
      <PageHeader current="myfarm" title={words.workers.page} sub={words.workers.sub} />
      <Content />
    </>
  )
}

function Content() {
  const { loggedIn } = useSession()
  const workers = useOwnedWorkers()
  const now = useServerNow()

  if (!loggedIn) return <ClosedGate title={words.farm.connectFirst} text={words.farm.gateText} />
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
  return (
    <section aria-labelledby="your-workers">
      <h2 className={styles.skyTitle} id="your-workers">
        {words.workers.yours}
      </h2>
      <div className={styles.wk}>
        {workers.data.map((worker) => (
          <WorkerCard key={worker.workerId} worker={worker} now={now} />
        ))}
      </div>
    </section>
  )
}
