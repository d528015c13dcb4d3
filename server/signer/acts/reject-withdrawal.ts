import { formatExact } from '#game/cotton.ts'
import { totalOf } from '#game/credit.ts'
import { assert } from '#server/platform/assert.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { refundWithdrawal } from '#server/withdrawals/close-withdrawal.ts'
import type { WithdrawalState } from '#server/withdrawals/read-withdrawals.ts'
import { findWithdrawal, requireSigned, STATE_TEXTS } from './find-withdrawal.ts'

/** The states without a signed transaction. A signed one can land at any time. */
export const UNSIGNED: ReadonlySet<WithdrawalState> = new Set(['requested', 'review', 'approved'])

type Rejection = { id: string; wallet: string; amount: bigint; reason: string; now: Date }

/** Refunds a withdrawal that is not signed yet, with a reason that its player reads, and returns a summary. */
export async function rejectWithdrawal(tx: Tx, { id, reason, now, ...of }: Rejection): Promise<string> {
  const withdrawal = await findWithdrawal(tx, id)
  const { state, wallet, deposited, earned } = withdrawal
  if (!UNSIGNED.has(state))
    throw new StartupError(`Withdrawal ${id} ${STATE_TEXTS[state]}. It cannot be rejected.`)
  requireSigned(withdrawal, of)
  assert(await refundWithdrawal(tx, { id, wallet, now, reason }), 'a locked open withdrawal can be refunded')
  return `Rejected: ${formatExact(totalOf(withdrawal))} $COTTON returned to ${wallet} (deposited ${formatExact(deposited)}, earned ${formatExact(earned)}).`
}
