import type { ReplyOf } from '#contract/route.ts'
import type { cancelWithdrawal } from '#contract/withdrawals.ts'
import { type ActionRequest, runOnceIfFrozen } from '#server/actions/run-once.ts'
import { type AnswerOf, granted, refused } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { rowOf, rowset, sql, type Tx } from '#server/platform/db/db.ts'
import { type StoredWithdrawal, toWithdrawalView } from './read-withdrawals.ts'

export type CancelRequest = ActionRequest & { withdrawalId: string }

// Waits for a signer that has locked the row, and then compares the state that the signer left.
const markCancelled = sql({
  name: 'withdrawals-mark-cancelled',
  params: { cancelled: rowset({ id: 'uuid', wallet: 'text' }), now: 'timestamptz' },
  text: ({ cancelled, now }) => `update withdrawals w set cancelled_at = ${now} from ${cancelled}
    where w.id = cancelled.id and w.wallet = cancelled.wallet and w.cancelled_at is null
      and w.state in ('requested', 'review', 'approved')`,
})

const readCancelled = sql({
  name: 'withdrawals-read-cancelled',
  params: { ids: 'uuid[]' },
  row: rowOf<StoredWithdrawal>(),
  text: ({ ids }) => `select w.id::text, w.wallet, w.deposited, w.earned, w.state, w.reason, w.reasons,
     w.paid_by as signature, w.requested_at as "requestedAt", w.settled_at as "settledAt",
     w.cancelled_at as "cancelledAt"
   from withdrawals w where w.id = any(${ids})`,
})

/**
 * Cancels withdrawals that are not signed yet: many requests in, one answer each, in their order. From the commit on the
 * signer cannot sign them. The signer refunds them in its next round, because a login that serves players cannot take
 * what the ledger holds. A repeated cancellation is granted again and changes nothing.
 */
export function cancelWithdrawals(
  tx: Tx,
  requests: readonly CancelRequest[],
  clock: Clock,
): Promise<AnswerOf<typeof cancelWithdrawal>[]> {
  return runOnceIfFrozen(tx, requests, clock, async (_ledger, fresh, now) => {
    const cancelled = fresh.map(({ withdrawalId: id, wallet }) => ({ id, wallet }))
    await tx.rows(markCancelled, { cancelled, now })
    const rows = await tx.rows(readCancelled, { ids: cancelled.map(({ id }) => id) })
    const found = new Map(rows.map((row) => [`${row.id} ${row.wallet}`, row]))
    return fresh.map(({ withdrawalId, wallet }) => {
      const row = found.get(`${withdrawalId.toLowerCase()} ${wallet}`)
      if (!row) return refused('withdrawal_not_found')
      if (row.cancelledAt === null || row.state === 'finalized') return refused('not_cancellable')
      return granted<ReplyOf<typeof cancelWithdrawal>>({ success: true, withdrawal: toWithdrawalView(row) })
    })
  })
}
