import { expect, test } from 'vitest'
import { checkLimits } from './check-limits.ts'
import type { Withdrawable } from './use-withdrawals.ts'

const limits = { deposited: 100.1, earned: 50, earnedToday: 20.2, paused: false } as Withdrawable

test('a request is told whether it finds room now, and what it takes of the budget', () => {
  expect(checkLimits(null, limits)).toEqual({ kind: 'none' })
  expect(checkLimits(100.1, limits)).toEqual({ kind: 'deposited' })
  expect(checkLimits(100.100001, limits)).toEqual({ kind: 'earned', earned: 0.000001 })
  expect(checkLimits(120.3, limits)).toEqual({ kind: 'earned', earned: 20.2 })
  expect(checkLimits(120.300001, limits)).toEqual({ kind: 'overLimit', max: 120.3 })
  expect(checkLimits(150.1, limits)).toEqual({ kind: 'overLimit', max: 120.3 })
  expect(checkLimits(150.100001, limits)).toEqual({ kind: 'tooMuch' })
  expect(checkLimits(1, { ...limits, paused: true })).toEqual({ kind: 'paused' })
})
