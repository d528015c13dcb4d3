import { useOwnedWorkers } from '#web/api/use-owned-workers.ts'
import { EmptyFarm } from '#web/shell/empty-farm.tsx'
import { LoginGate } from '#web/shell/login-gate.tsx'
import { AuthSplit } from '#web/shell/auth-split.tsx'
import { PageHeader } from '#web/shell/page-header.tsx'
import { Unreachable } from '#web/shell/unreachable.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { Loading } from '#web/ui/loading.tsx'
import { farmMessages } from '#web/messages/en-farm.ts'
import { workersMessages } from '#web/messages/en-workers.ts'
import { WorkerGroups } from './worker-groups.tsx'

export default function WorkersPage() {
  return (
    <>
      <PageHeader title={workersMessages.page} sub={workersMessages.sub} />
      <AuthSplit
        visitor={<LoginGate title={farmMessages.connectFirst} text={farmMessages.gateText} />}
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
        <Loading text={workersMessages.loading} />
      </Frame>
    )
  }
  if (!workers.data) {
    const retry = (): void => void workers.refetch()
    return <Unreachable title={farmMessages.failed} text={farmMessages.failedText} retry={retry} />
  }
  if (workers.data.length === 0) return <EmptyFarm />
  return <WorkerGroups workers={workers.data} />
}
