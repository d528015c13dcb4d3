import { useOwnedWorkers } from '#web/api/use-owned-workers.ts'
import { ClosedGate } from '#web/shell/closed-gate.tsx'
import { ForWhom } from '#web/shell/for-whom.tsx'
import { PageHeader } from '#web/shell/page-header.tsx'
import { Unreachable } from '#web/shell/unreachable.tsx'
import { words } from '#web/messages/en.ts'
import { Farm } from './farm.tsx'
import { FarmSkeleton } from './farm-skeleton.tsx'
import { WaitingField } from '#web/shell/waiting-field.tsx'

export default function MyFarmPage() {
  return (
    <>
      <PageHeader current="myfarm" title={words.farm.page} sub={words.farm.sub} />
      <ForWhom
        visitor={<ClosedGate title={words.farm.connectFirst} text={words.farm.gateText} />}
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
    return <Unreachable title={words.farm.failed} text={words.farm.failedText} retry={retry} />
  }
  return (
    <>
      {workers.data.length === 0 ? <WaitingField style={{ marginBottom: 34 }} /> : null}
      <Farm workers={workers.data} />
    </>
  )
}
