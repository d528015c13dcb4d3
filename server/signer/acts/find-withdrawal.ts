import { formatExact } from '#game/cotton.ts'
import { totalOf } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { rowOf, sql, type Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { lockWithdrawal, type OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import type { WithdrawalState } from '#server/withdrawals/read-withdrawals.ts'
import { isHeld } from '../review/check-hold.ts'

/** The state of a withdrawal, as part of a sentence for the operator. */
export const STATE_TEXTS: Record<WithdrawalState, string> = {
  requested: 'has not been checked yet',
  review: 'is in review',
  approved: 'is already approved, and the signer pays it',
  signed: 'is signed and can land at any moment',
  sent: 'is sent and can land at any moment',
  finalized: 'was paid',
  refunded: 'was refunded',
}

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const readWallet = sql({
  name: 'operator-read-wallet',
  params: { id: 'uuid' },
  row: rowOf<{ wallet: string }>(),
  text: ({ id }) => `select wallet from withdrawals where id = ${id}`,
})

/**
 * Locks one withdrawal until the transaction ends, after its player's accounts, in the same order as the signer. Throws a
 * `StartupError` if it does not exist, or if the ledger does not hold its amount.
 */
export async function findWithdrawal(tx: Tx, id: string): Promise<OpenWithdrawal> {
  const [found] = UUID.test(id) ? await tx.rows(readWallet, { id }) : []
  if (!found) throw new StartupError(`There is no withdrawal ${id}.`)
  await openLedger(tx, [found.wallet])
  const withdrawal = await lockWithdrawal(tx, id)
  if (!withdrawal || !(await isHeld(tx, withdrawal))) {
    throw new StartupError(`The ledger does not hold the amount of withdrawal ${id}. Run the audit first.`)
  }
  return withdrawal
}

/** Throws a `StartupError` if the operator signed another wallet or amount than the withdrawal has now. */
export function requireSigned(withdrawal: OpenWithdrawal, of: { wallet: string; amount: bigint }): void {
  const { id, wallet } = withdrawal
  const amount = totalOf(withdrawal)
  if (wallet !== of.wallet || amount !== of.amount) {
    throw new StartupError(
      `Withdrawal ${id} is of ${formatExact(amount)} $COTTON to ${wallet}, which is not what the operator signed.`,
    )
  }
}
