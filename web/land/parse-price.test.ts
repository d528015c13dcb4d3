import { expect, test } from 'vitest'
import { splitPrice, parsePrice } from './parse-price.ts'

test('a price is a whole number from 1 to 10¹²', () => {
  expect(['1', ' 120000 ', '120,000', '1000000000000', '1,000,000,000,000'].map(parsePrice)).toEqual([
    1, 120_000, 120_000, 1e12, 1e12,
  ])
  for (const wrong of ['', '0', '-5', '1.5', '1e3', '1,00', ',100', '1000000000001', '٣', '9'.repeat(30)])
    expect(parsePrice(wrong), wrong).toBeNull()
})

test('the seller is shown nine tenths, and nothing gets lost', () => {
  expect(splitPrice(100_000)).toEqual({ receives: 90_000, fee: 10_000 })
  expect(splitPrice(1)).toEqual({ receives: 0.9, fee: 0.1 })
  expect(splitPrice(1e12)).toEqual({ receives: 9e11, fee: 1e11 })
})
