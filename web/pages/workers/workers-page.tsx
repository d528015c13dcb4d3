import { RefreshCw, Wallet } from 'lucide-react'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { useOwnedWorkers } from '#web/api/use-owned-workers.ts'
import gate from '#web/art/gate.svg'
import warning from '#web/art/icons/warning.webp'
import scarecrow from '#web/art/scarecrow.svg'
import { useServerNow } from '#web/api/use-server-now.ts'
import { paths } from '#web/paths.ts'
import { logInWithPhantom } from '#web/popups/use-log-in.ts'
import { PageHeader } from '#web/shell/page-header.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
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

  if (!loggedIn) {
    return (
      <Frame>
        <Empty picture={<img src={gate} width="320" height="190" alt="" />} title={words.farm.connectFirst}>
          <Button tone="plum" icon={<Wallet aria-hidden="true" />} onClick={() => void logInWithPhantom()}>
            {words.wallet.connect}
          </Button>
        </Empty>
      </Frame>
    )
  }
  if (workers.isPending) {
    return (
      <Frame>
        <Loading text={words.workers.loading} />
      </Frame>
    )
  }
  if (!workers.data) {
    return (
      <Frame>
        <Empty
          alert
          picture={<img src={warning} width="128" height="128" alt="" />}
          title={words.farm.failed}
          text={words.farm.failedText}
        >
          <Button icon={<RefreshCw aria-hidden="true" />} onClick={() => void workers.refetch()}>
            {words.tryAgain}
          </Button>
        </Empty>
      </Frame>
    )
  }
  if (workers.data.length === 0) {
    return (
      <Frame>
        <Empty
          picture={<img src={scarecrow} width="120" height="150" alt="" />}
          title={words.farm.empty}
          text={words.farm.emptyText}
        >
          <Link className={buttonClass({ tone: 'leaf' })} to={paths.buyPickers}>
            {words.menu.buyPickers}
          </Link>
        </Empty>
      </Frame>
    )
  }
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
