import { type Cotton, cotton, LARGEST_REQUEST, smallerOf } from '#game/cotton.ts'
import { formatAmount } from '#web/messages/amount.ts'
import { withdrawalMessages } from '#web/messages/en-withdrawals.ts'
import type { Withdrawable } from './use-withdrawals.ts'

/** Why this amount cannot be withdrawn, or null. The server checks again. */
export function validateAmount(
  amount: Cotton | null,
  limits: Pick<Withdrawable, 'minimum' | 'withdrawable'> | undefined,
): string | null {
  if (amount === null) return withdrawalMessages.badAmount
  if (!limits) return null
  const { minimum, withdrawable } = limits
  if (minimum !== null && amount < minimum) return withdrawalMessages.tooSmall(formatAmount(minimum))
  if (withdrawable !== null && amount > withdrawable)
    return withdrawalMessages.tooMuch(formatAmount(withdrawable))
  return null
}

/** The largest amount that one request can withdraw now; null while it is unknown. */
export function largestWithdrawal(limits: Pick<Withdrawable, 'withdrawable'> | undefined): Cotton | null {
  const most = limits?.withdrawable ?? null
  return most === null ? null : smallerOf(most, cotton(LARGEST_REQUEST))
}
