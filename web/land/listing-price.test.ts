import { expect, test } from 'vitest'
import { baseUnits, cotton } from '#game/cotton.ts'
import { parsePrice, splitPrice } from './listing-price.ts'

test('a price is a whole number from 1 to 10¹²', () => {
  expect(['1', ' 120000 ', '120,000', '1000000000000', '1,000,000,000,000'].map(parsePrice)).toEqual(
    [1, 120_000, 120_000, 1e12, 1e12].map(cotton),
  )
  for (const wrong of ['', '0', '-5', '1.5', '1e3', '1,00', ',100', '1000000000001', '9'.repeat(30)])
    expect(parsePrice(wrong), wrong).toBeNull()
})

test('the seller is shown nine tenths, and both parts add up to the price', () => {
  expect(splitPrice(cotton(100_000))).toEqual({ receives: cotton(90_000), fee: cotton(10_000) })
  expect(splitPrice(cotton(1))).toEqual({ receives: baseUnits(900_000n), fee: baseUnits(100_000n) })
  expect(splitPrice(cotton(1e12))).toEqual({ receives: cotton(9e11), fee: cotton(1e11) })
})
