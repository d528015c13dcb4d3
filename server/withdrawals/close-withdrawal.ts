import { refundEntries, settlementEntries } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { isOpen } from './open-states.ts'
import { lockWithdrawal } from './open-withdrawals.ts'
import { refundBudget } from './reward-day.ts'

const close = sql({
  name: 'signer-close',
  params: { id: 'uuid', state: 'text', reason: 'text | null', at: 'timestamptz', paidBy: 'text | null' },
  text: ({ id, state, reason, at, paidBy }) =>
    `update withdrawals set state = ${state}, reason = ${reason}, settled_at = ${at}, reasons = default,
       paid_by = ${paidBy}
     where id = ${id}`,
})

const freeLane = sql({
  name: 'lanes-free',
  params: { id: 'uuid' },
  text: ({ id }) => `update lanes set withdrawal_id = null where withdrawal_id = ${id}`,
})

type Closing = { id: string; wallet: string; now: Date }

/** The payout is finalized: posts held → treasury and frees the lane. False if the withdrawal was already closed. */
export async function settleWithdrawal(
  tx: Tx,
  { id, wallet, now, signature }: Closing & { signature: string },
): Promise<boolean> {
  const ledger = await openLedger(tx, [wallet])
  const open = await lockWithdrawal(tx, id)
  if (!open || !isOpen(open.state)) return false
  const detail = { withdrawalId: id, signature }
  ledger.post({ wallet, kind: 'settlement', at: now, detail, entries: settlementEntries(wallet, open) })
  ledger.write()
  tx.send(close, { id, state: 'finalized', reason: null, at: now, paidBy: signature })
  tx.send(freeLane, { id })
  return true
}

/**
 * The payout can never land: refunds each class and the day's budget, frees the lane, and records the reason, which the
 * player's history shows. A withdrawal that its player cancelled is refunded as a cancellation. False if the withdrawal
 * was already closed.
 */
export async function refundWithdrawal(
  tx: Tx,
  {
    id,
    wallet,
    now,
    reason,
    kind = 'refund',
  }: Closing & { reason: string; kind?: 'refund' | 'cancellation' },
): Promise<boolean> {
  const ledger = await openLedger(tx, [wallet])
  const open = await lockWithdrawal(tx, id)
  if (!open || !isOpen(open.state)) return false
  const detail = { withdrawalId: id, reason }
  // The day before the totals of all credit, as in a request: two connections may share a row of the totals.
  refundBudget(tx, { day: open.day, wallet, amount: open.earned })
  ledger.post({ wallet, kind, at: now, detail, entries: refundEntries(wallet, open) })
  ledger.write()
  tx.send(close, { id, state: 'refunded', reason, at: now, paidBy: null })
  tx.send(freeLane, { id })
  return true
}
