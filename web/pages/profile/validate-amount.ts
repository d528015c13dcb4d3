import { formatAmount } from '#web/messages/amount.ts'
import { messages } from '#web/messages/en.ts'
import type { Withdrawable } from './use-withdrawals.ts'

/** Why this amount cannot leave, as far as it can be told from here; the server decides. */
export function validateAmount(
  amount: number | null,
  limits: Pick<Withdrawable, 'minimum' | 'withdrawable'> | undefined,
): string | null {
  if (amount === null) return messages.withdraw.badAmount
  if (!limits) return null
  if (amount < limits.minimum) return messages.withdraw.tooSmall(formatAmount(limits.minimum))
  if (amount > limits.withdrawable) return messages.withdraw.tooMuch(formatAmount(limits.withdrawable))
  return null
}
