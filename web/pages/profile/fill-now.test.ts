import { expect, test } from 'vitest'
import { fillNow } from './fill-now.ts'
import type { Withdrawable } from './use-withdrawals.ts'

const limits = { deposited: 100.1, earned: 50, earnedToday: 20.2, paused: false } as Withdrawable

test('a request is told whether it finds room now, and what it takes of the budget', () => {
  expect(fillNow(null, limits)).toEqual({ kind: 'none' })
  expect(fillNow(100.1, limits)).toEqual({ kind: 'deposited' })
  expect(fillNow(100.100001, limits)).toEqual({ kind: 'earned', earned: 0.000001 })
  expect(fillNow(120.3, limits)).toEqual({ kind: 'earned', earned: 20.2 })
  expect(fillNow(120.300001, limits)).toEqual({ kind: 'waits', most: 120.3 })
  expect(fillNow(150.1, limits)).toEqual({ kind: 'waits', most: 120.3 })
  expect(fillNow(150.100001, limits)).toEqual({ kind: 'tooMuch' })
  expect(fillNow(1, { ...limits, paused: true })).toEqual({ kind: 'paused' })
})
