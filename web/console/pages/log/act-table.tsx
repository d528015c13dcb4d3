import type { listActs } from '#contract/console/act-list.ts'
import { type Act, isAct, isActKind } from '#contract/console/acts.ts'
import { CONTINENT_NAMES } from '#game/continents.ts'
import { actMessages } from '#web/messages/en-console-acts.ts'
import { consoleMessages } from '#web/messages/en-console.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { shortAddress } from '#web/ui/short-address.ts'
import { Link } from 'react-router'
import type { ItemOf } from '../../api/queries.ts'
import { formatCredit } from '../../exact.ts'
import { Badge } from '../../ui/badge.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { WalletLink } from '../../ui/wallet-link.tsx'

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
  { head: text.what, cell: (row) => <What row={row} /> },
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

/** The act, and what it is about: only the outcome of a decided act says that. */
function What({ row: { kind, withdrawalId, details } }: { row: Row }) {
  const act = readAct(details)
  const name = kindOf(kind)
  return (
    <div>
      {withdrawalId === null ? name : <Link to={`/withdrawals/${withdrawalId}`}>{name}</Link>}
      {act && 'amount' in act ? <p className="soft">{formatCredit(act.amount)}</p> : null}
      {act && 'continent' in act ? (
        <p className="soft">{`${CONTINENT_NAMES[act.continent]}: ${act.what}`}</p>
      ) : null}
      {act && 'wallet' in act ? <WalletLink wallet={act.wallet} /> : null}
    </div>
  )
}

/** Null for what is no act: whoever has the login of the console can store any text. */
function readAct(details: string): Act | null {
  try {
    const act: unknown = JSON.parse(details)
    return isAct(act) ? act : null
  } catch {
    return null
  }
}
