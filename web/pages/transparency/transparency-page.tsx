import { type Transparency, useTransparency } from '#web/api/use-transparency.ts'
import warning from '#web/art/icons/warning.webp'
import { PageHeader } from '#web/shell/page-header.tsx'
import { Button } from '#web/ui/button.tsx'
import { Empty } from '#web/ui/empty.tsx'
import { Frame } from '#web/ui/frame.tsx'
import { transparencyWords as text } from '#web/messages/en-transparency.ts'
import { words } from '#web/messages/en.ts'
import { BudgetPanel } from './budget-panel.tsx'
import { FlowsPanel } from './flows-panel.tsx'
import { LoadingBooks } from './loading-books.tsx'
import { QueuePanel } from './queue-panel.tsx'
import { ReservePanel } from './reserve-panel.tsx'
import { SupplyPanel } from './supply-panel.tsx'
import styles from './transparency.module.css'

export default function TransparencyPage() {
  const { data, isError, refetch } = useTransparency()
  return (
    <>
      <PageHeader current="myprofile" title={text.page} sub={text.sub} />
      {data ? <Books books={data} /> : isError ? <Failed onRetry={() => void refetch()} /> : <LoadingBooks />}
    </>
  )
}

function Books({ books }: { books: Transparency }) {
  return (
    <div className={styles.page}>
      <ReservePanel reserve={books.reserve} supply={books.supply} />
      <SupplyPanel supply={books.supply} />
      <FlowsPanel flows={books.flows} />
      <BudgetPanel budget={books.budget} />
      <QueuePanel queue={books.queue} pause={books.pause} />
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
        <Button onClick={onRetry}>{words.tryAgain}</Button>
      </Empty>
    </Frame>
  )
}
