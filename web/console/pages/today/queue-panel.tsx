import { Link } from 'react-router'
import type { readToday } from '#contract/console/today.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { formatCount } from '#game/cotton.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { formatAmount } from '../../exact.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Age } from '../../ui/moment.tsx'
import { Panel } from '../../ui/panel.tsx'

type QueueState = ConsoleReply<typeof readToday>['queue'][number]

const text = pageMessages.today

const COLUMNS: readonly Column<QueueState>[] = [
  {
    head: text.state,
    cell: ({ state }) => (
      <Link to={`/withdrawals?state=${state}`}>{pageMessages.withdrawals.states[state]}</Link>
    ),
    names: true,
  },
  { head: text.count, cell: ({ count }) => formatCount(count), figure: true },
  { head: text.amount, cell: ({ amount }) => formatAmount(amount), figure: true },
  { head: text.oldest, cell: ({ oldest }) => <Age since={oldest} />, figure: true },
]

/** The open withdrawals by state. */
export function QueuePanel({ queue }: { queue: readonly QueueState[] }) {
  return (
    <Panel title={text.queue} flush>
      <DataTable
        caption={text.queue}
        columns={COLUMNS}
        rows={queue}
        keyOf={({ state }) => state}
        empty={text.noQueue}
      />
    </Panel>
  )
}
