import { expect, test } from 'vitest'
import { baseUnits } from '#game/cotton.ts'
import { checkLimits } from './check-limits.ts'
import type { Withdrawable } from './use-withdrawals.ts'

const limits = {
  deposited: baseUnits(100_100_000n),
  earned: baseUnits(50_000_000n),
  earnedToday: baseUnits(20_200_000n),
  minimum: baseUnits(1n),
  paused: false,
} as Withdrawable

const check = (units: bigint) => checkLimits(baseUnits(units), limits)

test('a typed amount shows whether it fits today, and how much of it counts against the budget', () => {
  expect(checkLimits(null, limits)).toEqual({ kind: 'none' })
  expect(check(100_100_000n)).toEqual({ kind: 'deposited' })
  expect(check(100_100_001n)).toEqual({ kind: 'earned', earned: 1n })
  expect(check(120_300_000n)).toEqual({ kind: 'earned', earned: 20_200_000n })
  expect(check(120_300_001n)).toEqual({ kind: 'overLimit', max: 120_300_000n })
  expect(check(150_100_000n)).toEqual({ kind: 'overLimit', max: 120_300_000n })
  expect(check(150_100_001n)).toEqual({ kind: 'tooMuch' })
  expect(checkLimits(baseUnits(1n), { ...limits, minimum: baseUnits(2n) })).toEqual({ kind: 'tooSmall' })
  expect(checkLimits(baseUnits(1n), { ...limits, paused: true })).toEqual({ kind: 'paused' })
  expect(checkLimits(baseUnits(1n), { ...limits, earned: null })).toEqual({ kind: 'none' })
})
