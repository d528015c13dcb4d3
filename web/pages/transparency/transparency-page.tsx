import { type Transparency, useTransparency } from '#web/api/use-transparency.ts'
import warning from '#web/art/icons/warning.webp'
import { PageHeader } from '#web/shell/page-header.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { RetryButton } from '#web/ui/retry-button.tsx'
import { transparencyMessages as text } from '#web/messages/en-transparency.ts'
import { BudgetPanel } from './budget-panel.tsx'
import { FlowsPanel } from './flows-panel.tsx'
import { TransparencySkeleton } from './transparency-skeleton.tsx'
import { QueuePanel } from './queue-panel.tsx'
import { ReservePanel } from './reserve-panel.tsx'
import { SupplyPanel } from './supply-panel.tsx'
import styles from './transparency.module.css'

export default function TransparencyPage() {
  const { data, isError, refetch } = useTransparency()
  return (
    <>
      <PageHeader title={text.page} sub={text.sub} />
      {data ? (
        <Panels transparency={data} />
      ) : isError ? (
        <Failed onRetry={() => void refetch()} />
      ) : (
        <TransparencySkeleton />
      )}
    </>
  )
}

function Panels({ transparency }: { transparency: Transparency }) {
  return (
    <div className={styles.page}>
      <ReservePanel reserve={transparency.reserve} supply={transparency.supply} />
      <SupplyPanel supply={transparency.supply} />
      <FlowsPanel flows={transparency.flows} />
      <BudgetPanel budget={transparency.budget} />
      <QueuePanel queue={transparency.queue} pause={transparency.pause} />
    </div>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <Frame aria-label={text.page}>
      <Empty
        alert
        picture={<img src={warning} width="128" height="128" alt="" />}
        title={text.failed}
        text={text.failedText}
      >
        <RetryButton onClick={onRetry} />
      </Empty>
    </Frame>
  )
}
