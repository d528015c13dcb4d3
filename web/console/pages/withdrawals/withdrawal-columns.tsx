import { Link } from 'react-router'
import type { listWithdrawals } from '#contract/console/withdrawals.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { shortAddress } from '#web/ui/short-address.ts'
import type { ItemOf } from '../../api/queries.ts'
import { formatAmount } from '../../exact.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Age, Moment } from '../../ui/moment.tsx'
import { WalletLink } from '../../ui/wallet-link.tsx'
import { approvalsText } from './approvals-text.ts'
import { WithdrawalBadge } from './withdrawal-badge.tsx'
import styles from './withdrawals.module.css'

type Row = ItemOf<typeof listWithdrawals>

const text = pageMessages.withdrawals

const requested: Column<Row> = {
  head: text.requested,
  cell: ({ id, requestedAt, amount, wallet }) => (
    <Link className={styles.open} to={`/withdrawals/${id}`}>
      <Moment at={requestedAt} />
      <span className="vh">{text.openOf(formatAmount(amount), shortAddress(wallet))}</span>
    </Link>
  ),
  names: true,
}

const amount: Column<Row> = { head: text.amount, cell: (row) => formatAmount(row.amount), figure: true }

const state: Column<Row> = { head: text.state, cell: (row) => <WithdrawalBadge state={row.state} /> }

const reasons: Column<Row> = {
  head: text.reasons,
  wide: true,
  cell: (row) => <Reasons reasons={row.reasons} />,
}

/** Why a withdrawal waits or was refunded. */
export function Reasons({ reasons: all }: { reasons: Row['reasons'] }) {
  if (all.length === 0) return <span className="soft">–</span>
  return (
    <ul className={styles.reasons}>
      {all.map(({ code, sentence }) => (
        <li key={code}>{sentence}</li>
      ))}
    </ul>
  )
}

/** The queue: everybody's withdrawals. */
export const QUEUE_COLUMNS: readonly Column<Row>[] = [
  requested,
  { head: text.age, cell: (row) => (row.settledAt === null ? <Age since={row.requestedAt} /> : '–') },
  {
    head: text.wallet,
    cell: ({ wallet, frozen }) => (
      <span className={styles.wallet}>
        <WalletLink wallet={wallet} />
        {frozen ? <Badge tone="bad">{text.frozen}</Badge> : null}
      </span>
    ),
  },
  amount,
  state,
  reasons,
  {
    head: text.approvals,
    cell: (row) => <span title={row.approvals.map(({ name }) => name).join(', ')}>{approvalsText(row)}</span>,
    figure: true,
  },
]

/** The withdrawals of one player. */
export const HISTORY_COLUMNS: readonly Column<Row>[] = [
  requested,
  amount,
  state,
  { head: text.settled, cell: ({ settledAt }) => <Moment at={settledAt} /> },
]
