import { readBooks } from '#contract/console/books.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { useRead } from '../../api/queries.ts'
import { formatAmount } from '../../exact.ts'
import { Page } from '../../shell/page.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Panel, PanelGrid } from '../../ui/panel.tsx'
import { Read } from '../../ui/state.tsx'
import { BooksCharts } from './books-charts.tsx'
import { FundControl } from './fund-control.tsx'
import { ReservePanel } from './reserve-panel.tsx'
import { RestoredPanel } from './restored-panel.tsx'
import { TreasuryPanel } from './treasury-panel.tsx'

type Books = ConsoleReply<typeof readBooks>

const EVERY_MS = 30_000
const text = pageMessages.books

/** What the game owes, and what it has for it. */
export function BooksPage() {
  const read = useRead(readBooks, {}, { topics: ['withdrawals', 'acts'], everyMs: EVERY_MS })
  return (
    <Page title={consoleMessages.pages.books} text={text.text} actions={<FundControl />}>
      <Read of={read}>
        {(books) => (
          <>
            <RestoredPanel {...books} />
            <PanelGrid size="wide">
              <ReservePanel reserve={books.reserve} />
              <TreasuryPanel treasury={books.treasury} topUp={books.topUp} />
            </PanelGrid>
            <PanelGrid size="wide">
              <SupplyPanel {...books} />
              <BudgetPanel budget={books.budget} />
            </PanelGrid>
          </>
        )}
      </Read>
      <BooksCharts />
    </Page>
  )
}

function SupplyPanel({ supply, flows }: Pick<Books, 'supply' | 'flows'>) {
  return (
    <Panel title={text.supply}>
      <Facts
        facts={[
          [text.deposited, formatAmount(supply.deposited)],
          [text.earned, formatAmount(supply.earned)],
          [text.pool, formatAmount(supply.pool)],
          [text.held, formatAmount(supply.held)],
          [text.emitted, formatAmount(flows.emitted)],
          [text.burned, formatAmount(flows.burned)],
          [text.spent, formatAmount(flows.spent)],
        ]}
      />
    </Panel>
  )
}

function BudgetPanel({ budget }: Pick<Books, 'budget'>) {
  return (
    <Panel title={text.budget}>
      <Facts
        facts={[
          [text.budgetTotal, formatAmount(budget.total)],
          [text.budgetUsed, formatAmount(budget.used)],
          [text.budgetLeft, formatAmount(budget.left)],
          [text.resets, <Moment key="resets" at={budget.resetsAt} />],
        ]}
      />
    </Panel>
  )
}
