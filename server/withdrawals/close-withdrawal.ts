import { refundEntries, settlementEntries } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { lockWithdrawal } from './open-withdrawals.ts'
import { giveBackBudget } from './reward-day.ts'

const OPEN = new Set(['requested', 'review', 'approved', 'signed', 'sent'])

const close = sql(
  'signer-close',
  'update withdrawals set state = $2, reason = $3, settled_at = $4, reasons = default, paid_by = $5 where id = $1',
)

const freeLane = sql('lanes-free', 'update lanes set withdrawal_id = null where withdrawal_id = $1')

type Closing = { id: string; wallet: string; now: Date }

/** The tokens are in the wallet for good: held → treasury, and the lane is free. False where it was closed before. */
export async function settleWithdrawal(
  tx: Tx,
  { id, wallet, now, signature }: Closing & { signature: string },
): Promise<boolean> {
  const ledger = await openLedger(tx, [wallet])
  const open = await lockWithdrawal(tx, id)
  if (!open || !OPEN.has(open.state)) return false
  const detail = { withdrawalId: id, signature }
  ledger.post({ wallet, kind: 'settlement', at: now, detail, entries: settlementEntries(wallet, open) })
  await ledger.write()
  await tx.rows(close, [id, 'finalized', null, now, signature])
  await tx.rows(freeLane, [id])
  return true
}

/**
 * The payout can never land: every class and the day's budget get back what they gave, the lane is free, and the
 * player's history says why. False where it was closed before.
 */
export async function refundWithdrawal(
  tx: Tx,
  { id, wallet, now, reason }: Closing & { reason: string },
): Promise<boolean> {
  const ledger = await openLedger(tx, [wallet])
  const open = await lockWithdrawal(tx, id)
  if (!open || !OPEN.has(open.state)) return false
  const detail = { withdrawalId: id, reason }
  ledger.post({ wallet, kind: 'refund', at: now, detail, entries: refundEntries(wallet, open) })
  await ledger.write()
  await tx.rows(close, [id, 'refunded', reason, now, null])
  await tx.rows(freeLane, [id])
  await giveBackBudget(tx, { day: open.day, wallet, amount: open.earned })
  return true
}
