import { expect, test } from 'vitest'
import { problemWith } from './problem-with.ts'

const LIMITS = { minimum: 1, withdrawable: 100_080 }

test('an amount within the limits has no problem, nor has one whose limits are unknown', () => {
  expect(problemWith(1, LIMITS)).toBeNull()
  expect(problemWith(100_080, LIMITS)).toBeNull()
  expect(problemWith(5, undefined)).toBeNull()
})

test('what cannot leave says why', () => {
  expect(problemWith(null, LIMITS)).toBe('Enter an amount above 0 with at most 6 decimals.')
  expect(problemWith(0.5, LIMITS)).toBe('The smallest withdrawal is 1 $COTTON.')
  expect(problemWith(100_080.000001, LIMITS)).toBe('Right now you can withdraw at most 100,080 $COTTON.')
})
