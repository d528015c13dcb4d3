import type { listActs } from '#contract/console/act-list.ts'
import { isActKind } from '#contract/console/acts.ts'
import { actMessages } from '#web/messages/en-console-acts.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { shortAddress } from '#web/ui/short-address.ts'
import { Link } from 'react-router'
import type { ItemOf } from '../../api/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'

type Row = ItemOf<typeof listActs>

const TONES = { waiting: 'warn', done: 'good', refused: 'bad' } as const
const text = pageMessages.acts

const kindOf = (kind: string): string => (isActKind(kind) ? actMessages.kinds[kind] : kind)

const COLUMNS: readonly Column<Row>[] = [
  { head: text.at, cell: ({ at }) => <Moment at={at} />, names: true },
  {
    head: text.operator,
    cell: ({ operator, name }) => (
      <span title={operator}>
        {name === '' ? `${shortAddress(operator)}, ${consoleMessages.unknownName}` : name}
      </span>
    ),
  },
  {
    head: text.what,
    cell: ({ kind, withdrawalId }) =>
      withdrawalId === null ? kindOf(kind) : <Link to={`/withdrawals/${withdrawalId}`}>{kindOf(kind)}</Link>,
  },
  { head: text.state, cell: ({ state }) => <Badge tone={TONES[state]}>{actMessages.states[state]}</Badge> },
  { head: text.outcome, wide: true, cell: ({ outcome }) => outcome ?? actMessages.waitingText },
]

type ActTableProps = { acts: readonly Row[]; caption: string; empty: string }

/** Signed acts, and what the signer made of each. */
export function ActTable({ acts, caption, empty }: ActTableProps) {
  return (
    <DataTable caption={caption} columns={COLUMNS} rows={acts} keyOf={({ nonce }) => nonce} empty={empty} />
  )
}
