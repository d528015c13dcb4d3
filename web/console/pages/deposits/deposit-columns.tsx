import type { listDeposits } from '#contract/console/deposits.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { shortAddress } from '#web/ui/short-address.ts'
import type { ItemOf } from '../../api/queries.ts'
import { formatAmount } from '../../exact.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Moment } from '../../ui/moment.tsx'
import { WalletLink } from '../../ui/wallet-link.tsx'

type Row = ItemOf<typeof listDeposits>

const text = pageMessages.deposits
const TONES = { pending: 'note', credited: 'good', unclaimed: 'warn', dropped: 'plain' } as const

const seen: Column<Row> = { head: text.seen, cell: ({ seenAt }) => <Moment at={seenAt} />, names: true }

const amount: Column<Row> = {
  head: text.amount,
  figure: true,
  cell: ({ amount: size, asset, mint }) => (
    <span title={mint ?? undefined}>
      {asset === 'sol' ? size : formatAmount(size)} {text.assets[asset]}
    </span>
  ),
}

const state: Column<Row> = {
  head: text.state,
  cell: (row) => <Badge tone={TONES[row.state]}>{text.states[row.state]}</Badge>,
}

/** With the reason, for tables that are too narrow for a column of reasons. */
const explainedState: Column<Row> = {
  head: text.state,
  cell: (row) => (
    <div>
      {state.cell(row)}
      {row.why ? <p className="soft">{row.why.sentence}</p> : null}
    </div>
  ),
}

const transaction: Column<Row> = {
  head: text.transaction,
  cell: ({ signature }) => (
    <span className="short" title={signature}>
      {shortAddress(signature)}
    </span>
  ),
}

/** Everybody's deposits. */
export const DEPOSIT_COLUMNS: readonly Column<Row>[] = [
  seen,
  {
    head: text.wallet,
    cell: ({ wallet }) => (wallet === null ? text.nobody : <WalletLink wallet={wallet} />),
  },
  amount,
  state,
  { head: text.why, wide: true, cell: ({ why }) => why?.sentence ?? '–' },
  { head: text.credited, cell: ({ creditedAt }) => <Moment at={creditedAt} /> },
  transaction,
]

/** The deposits of one player. */
export const DEPOSIT_HISTORY_COLUMNS: readonly Column<Row>[] = [seen, amount, explainedState, transaction]
