import { expect, test } from 'vitest'
import { baseUnits, cotton, LARGEST_REQUEST } from '#game/cotton.ts'
import { largestWithdrawal, validateAmount } from './validate-amount.ts'

const LIMITS = { minimum: cotton(1), withdrawable: cotton(100_080) }

test('an amount within the limits is valid, and so is any amount while the limits are unknown', () => {
  expect(validateAmount(cotton(1), LIMITS)).toBeNull()
  expect(validateAmount(cotton(100_080), LIMITS)).toBeNull()
  expect(validateAmount(cotton(5), undefined)).toBeNull()
})

test('an amount that cannot be withdrawn gets a reason', () => {
  expect(validateAmount(null, LIMITS)).toBe('Enter an amount above 0, like 1250.5, with at most 6 decimals.')
  expect(validateAmount(baseUnits(500_000n), LIMITS)).toBe('The smallest withdrawal is 1 $COTTON.')
  expect(validateAmount(baseUnits(100_080_000_001n), LIMITS)).toBe(
    'Right now you can withdraw at most 100,080 $COTTON.',
  )
})

test('the largest withdrawal is what can be withdrawn, up to the limit of a request', () => {
  expect(largestWithdrawal(LIMITS)).toBe(cotton(100_080))
  expect(largestWithdrawal({ withdrawable: cotton(LARGEST_REQUEST * 2) })).toBe(cotton(LARGEST_REQUEST))
  expect(largestWithdrawal({ withdrawable: null })).toBeNull()
  expect(largestWithdrawal(undefined)).toBeNull()
})
