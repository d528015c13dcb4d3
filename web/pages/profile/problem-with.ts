import { shownOrExact } from '#web/messages/amount.ts'
import { words } from '#web/messages/en.ts'
import type { Withdrawable } from './use-withdrawals.ts'

/** Why this amount cannot leave, as far as it can be told from here; the server decides. */
export function problemWith(
  amount: number | null,
  limits: Pick<Withdrawable, 'minimum' | 'withdrawable'> | undefined,
): string | null {
  if (amount === null) return words.withdraw.badAmount
  if (!limits) return null
  if (amount < limits.minimum) return words.withdraw.tooSmall(shownOrExact(limits.minimum))
  if (amount > limits.withdrawable) return words.withdraw.tooMuch(shownOrExact(limits.withdrawable))
  return null
}
