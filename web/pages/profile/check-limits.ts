import type { Withdrawable } from './use-withdrawals.ts'

/** Whether a request of this much would find room right now, and what it would take. */
export type LimitCheck =
  | { kind: 'none' | 'deposited' | 'tooMuch' | 'paused' }
  | { kind: 'earned'; earned: number }
  | { kind: 'overLimit'; max: number }

/** Deposited credit goes first and always finds room; earned credit needs what is left of today's budget. */
export function checkLimits(amount: number | null, limits: Withdrawable): LimitCheck {
  const { deposited, earned, earnedToday, paused } = limits
  if (paused) return { kind: 'paused' }
  if (amount === null) return { kind: 'none' }
  if (amount <= deposited) return { kind: 'deposited' }
  const max = roundToUnits(deposited + Math.min(earned, earnedToday))
  if (amount <= max) return { kind: 'earned', earned: roundToUnits(amount - deposited) }
  return amount <= roundToUnits(deposited + earned) ? { kind: 'overLimit', max } : { kind: 'tooMuch' }
}

// A sum of numbers of six decimals, without the dust that floating point leaves behind them.
const roundToUnits = (amount: number): number => Math.round(amount * 1e6) / 1e6
