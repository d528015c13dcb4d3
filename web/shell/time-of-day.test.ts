import { expect, test } from 'vitest'
import { timeOfDay } from './time-of-day.ts'

test.each([
  [5, 'night'],
  [6, 'day'],
  [17, 'day'],
  [18, 'dusk'],
  [20, 'dusk'],
  [21, 'night'],
  [0, 'night'],
] as const)('at %i o’clock it is %s (X-40)', (hour, expected) => {
  expect(timeOfDay(hour)).toBe(expected)
})
