import { expect, test } from 'vitest'
import { hasPassed } from './has-passed.ts'

const from = new Date('2026-11-26T12:00:00Z')
const after = (elapsedMs: number, ms = 30_000) =>
  hasPassed(ms, { from, now: new Date(from.getTime() + elapsedMs) })

test('a delay has passed when it is over, and not before', () => {
  expect([after(0), after(29_999), after(30_000)]).toEqual([false, false, true])
  expect(after(0, 0)).toBe(true)
})

test('a clock that goes back a little makes nothing due early, and one that is set back ends the delay', () => {
  expect([after(-1), after(-29_999), after(-30_000), after(-3_600_000)]).toEqual([false, false, true, true])
  expect(after(-1, 0)).toBe(true)
})
