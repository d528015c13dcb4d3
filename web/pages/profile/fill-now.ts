import type { Withdrawable } from './use-withdrawals.ts'

/** Whether a request of this much would find room right now, and what it would take. */
export type Fill =
  | { kind: 'none' | 'deposited' | 'tooMuch' | 'paused' }
  | { kind: 'earned'; earned: number }
  | { kind: 'waits'; most: number }

/** Deposited credit goes first and always finds room; earned credit needs what is left of today's budget. */
export function fillNow(amount: number | null, limits: Withdrawable): Fill {
  const { deposited, earned, earnedToday, paused } = limits
  if (paused) return { kind: 'paused' }
  if (amount === null) return { kind: 'none' }
  if (amount <= deposited) return { kind: 'deposited' }
  const most = inUnits(deposited + Math.min(earned, earnedToday))
  if (amount <= most) return { kind: 'earned', earned: inUnits(amount - deposited) }
  return amount <= inUnits(deposited + earned) ? { kind: 'waits', most } : { kind: 'tooMuch' }
}

// A sum of numbers of six decimals, without the dust that floating point leaves behind them.
const inUnits = (amount: number): number => Math.round(amount * 1e6) / 1e6
