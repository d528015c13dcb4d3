import { RefreshCw, Wallet } from 'lucide-react'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { useOwnedWorkers } from '#web/api/use-owned-workers.ts'
import gate from '#web/art/gate.svg'
import warning from '#web/art/icons/warning.webp'
import scarecrow from '#web/art/scarecrow.svg'
import { paths } from '#web/paths.ts'
import { logInWithPhantom } from '#web/popups/use-log-in.ts'
import { PageHeader } from '#web/shell/page-header.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { words } from '#web/words/en.ts'
import { Farm } from './farm.tsx'
import { FarmSkeleton } from './farm-skeleton.tsx'

export default function MyFarmPage() {
  return (
    <>
      <PageHeader current="myfarm" title={words.farm.page} sub={words.farm.sub} />
      <Content />
    </>
  )
}

function Content() {
  const { loggedIn } = useSession()
  const workers = useOwnedWorkers()
  if (!loggedIn) return <LoggedOut />
  if (workers.isPending) return <FarmSkeleton />
  if (!workers.data) return <Unreachable retry={() => void workers.refetch()} />
  return (
    <>
      {workers.data.length === 0 ? <Waiting /> : null}
      <Farm workers={workers.data} />
    </>
  )
}

function LoggedOut() {
  return (
    <Frame>
      <Empty
        picture={<img src={gate} width="320" height="190" alt="" />}
        title={words.farm.connectFirst}
        text={words.farm.gateText}
      >
        <Button tone="plum" icon={<Wallet aria-hidden="true" />} onClick={() => void logInWithPhantom()}>
          {words.wallet.connect}
        </Button>
      </Empty>
    </Frame>
  )
}

function Unreachable({ retry }: { retry: () => void }) {
  return (
    <Frame>
      <Empty
        alert
        picture={<img src={warning} width="128" height="128" alt="" />}
        title={words.farm.failed}
        text={words.farm.failedText}
      >
        <Button icon={<RefreshCw aria-hidden="true" />} onClick={retry}>
          {words.tryAgain}
        </Button>
      </Empty>
    </Frame>
  )
}

function Waiting() {
  return (
    <Frame style={{ marginBottom: 34 }}>
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
