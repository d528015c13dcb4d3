import { baseUnits, type Cotton, smallerOf } from '#game/cotton.ts'
import type { Withdrawable } from './use-withdrawals.ts'

/** Whether a withdrawal fits the limits right now, and how much of it is earned credit. */
export type LimitCheck =
  | { kind: 'none' | 'tooSmall' | 'deposited' | 'tooMuch' | 'paused' }
  | { kind: 'earned'; earned: Cotton }
  | { kind: 'overLimit'; max: Cotton }

/** Deposited credit goes first and has no limit. Earned credit is limited to what is left of today's budget. */
export function checkLimits(amount: Cotton | null, limits: Withdrawable): LimitCheck {
  const { deposited, earned, earnedToday, minimum, paused } = limits
  if (paused) return { kind: 'paused' }
  if (amount === null || deposited === null || earned === null || earnedToday === null)
    return { kind: 'none' }
  if (minimum !== null && amount < minimum) return { kind: 'tooSmall' }
  if (amount <= deposited) return { kind: 'deposited' }
  const max = baseUnits(deposited + smallerOf(earned, earnedToday))
  if (amount <= max) return { kind: 'earned', earned: baseUnits(amount - deposited) }
  return amount <= deposited + earned ? { kind: 'overLimit', max } : { kind: 'tooMuch' }
}
