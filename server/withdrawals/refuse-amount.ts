import { type Cotton, shown, ZERO } from '#game/cotton.ts'
import { type Credit, totalOf, withdrawable } from '#game/credit.ts'
import { refused } from '#server/platform/answer.ts'

type Asking = {
  purse: Credit
  amount: Cotton
  budgetLeft: Cotton
  /** Its earned credit stays in the game until a deposit was credited. */
  needsDeposit: boolean
}

/** Why an amount cannot be withdrawn, and how much can be. */
export function refuseAmount({ purse, amount, budgetLeft, needsDeposit }: Asking) {
  const available = shown(totalOf(withdrawable(purse, needsDeposit ? ZERO : budgetLeft)))
  const balance = totalOf(purse)
  if (amount > balance) return refused('above_balance', { balance: shown(balance), available })
  return refused(needsDeposit ? 'deposit_first' : 'not_withdrawable', { available })
}
