import { openLedger } from '#server/ledger/ledger.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { isHeld } from '#server/signer/review/check-hold.ts'
import { lockWithdrawal, type OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import type { WithdrawalState } from '#server/withdrawals/read-withdrawals.ts'

/** Where a withdrawal stands, in words for the operator. */
export const STATE_TEXTS: Record<WithdrawalState, string> = {
  requested: 'has not been judged yet',
  review: 'waits in review',
  approved: 'is approved already and goes out by itself',
  signed: 'is signed: it can land at any moment',
  sent: 'is on its way',
  finalized: 'was paid',
  refunded: 'was refunded',
}

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const readWallet = sql('operator-read-wallet', 'select wallet from withdrawals where id = $1')

/**
 * One withdrawal, locked until the transaction ends, with its player's accounts before it, as the signer locks them.
 * Refuses one that does not exist, and one whose tokens the ledger does not hold: nobody can say what it is.
 */
export async function findWithdrawal(tx: Tx, id: string): Promise<OpenWithdrawal> {
  const [found] = UUID.test(id) ? await tx.rows<{ wallet: string }>(readWallet, [id]) : []
  if (!found) throw new StartupError(`There is no withdrawal ${id}.`)
  await openLedger(tx, [found.wallet])
  const withdrawal = await lockWithdrawal(tx, id)
  if (!withdrawal || !(await isHeld(tx, withdrawal))) {
    throw new StartupError(`The ledger does not hold what withdrawal ${id} asks for: read the audit first.`)
  }
  return withdrawal
}
