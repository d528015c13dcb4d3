import { useOwnedWorkers } from '#web/api/use-owned-workers.ts'
import { LoginGate } from '#web/shell/login-gate.tsx'
import { AuthSplit } from '#web/shell/auth-split.tsx'
import { PageHeader } from '#web/shell/page-header.tsx'
import { Unreachable } from '#web/shell/unreachable.tsx'
import { farmMessages } from '#web/messages/en-farm.ts'
import { Farm } from './farm.tsx'
import { FarmSkeleton } from './farm-skeleton.tsx'
import { EmptyFarm } from '#web/shell/empty-farm.tsx'

export default function MyFarmPage() {
  return (
    <>
      <PageHeader title={farmMessages.page} sub={farmMessages.sub} />
      <AuthSplit
        visitor={<LoginGate title={farmMessages.connectFirst} text={farmMessages.gateText} />}
        player={<OwnFarm />}
      />
    </>
  )
}

function OwnFarm() {
  const workers = useOwnedWorkers()
  if (workers.isPending) return <FarmSkeleton />
  if (!workers.data) {
    const retry = (): void => void workers.refetch()
    return <Unreachable title={farmMessages.failed} text={farmMessages.failedText} retry={retry} />
  }
  return (
    <>
      {workers.data.length === 0 ? <EmptyFarm style={{ marginBottom: 34 }} low /> : null}
      <Farm workers={workers.data} />
    </>
  )
}
