import { type Cotton, formatCotton, ZERO } from '#game/cotton.ts'
import { type Credit, totalOf, withdrawable } from '#game/credit.ts'
import { refused } from '#server/platform/answer.ts'

type RefusedAmount = {
  credit: Credit
  amount: Cotton
  budgetLeft: Cotton
  /** The wallet cannot withdraw earned credit before a deposit is credited. */
  needsDeposit: boolean
}

/** The refusal of an amount that cannot be withdrawn, with the amount that can be. */
export function refuseAmount({ credit, amount, budgetLeft, needsDeposit }: RefusedAmount) {
  const available = formatCotton(totalOf(withdrawable(credit, needsDeposit ? ZERO : budgetLeft)))
  const balance = totalOf(credit)
  if (amount > balance) return refused('above_balance', { balance: formatCotton(balance), available })
  return refused(needsDeposit ? 'deposit_first' : 'not_withdrawable', { available })
}
