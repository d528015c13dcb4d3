import { expect, test } from 'vitest'
import { validateAmount } from './validate-amount.ts'

const LIMITS = { minimum: 1, withdrawable: 100_080 }

test('an amount within the limits has no problem, nor has one whose limits are unknown', () => {
  expect(validateAmount(1, LIMITS)).toBeNull()
  expect(validateAmount(100_080, LIMITS)).toBeNull()
  expect(validateAmount(5, undefined)).toBeNull()
})

test('what cannot leave says why', () => {
  expect(validateAmount(null, LIMITS)).toBe('Enter an amount above 0 with at most 6 decimals.')
  expect(validateAmount(0.5, LIMITS)).toBe('The smallest withdrawal is 1 $COTTON.')
  expect(validateAmount(100_080.000001, LIMITS)).toBe('Right now you can withdraw at most 100,080 $COTTON.')
})
