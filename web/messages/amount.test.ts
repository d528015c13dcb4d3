import { expect, test } from 'vitest'
import { LARGEST_REQUEST } from '#game/cotton.ts'
import { formatInput, formatExact, formatAmount, parseAmount } from './amount.ts'

test.each([
  ['700000', 700_000],
  [' 1,250.5 ', 1_250.5],
  ['0.000001', 0.000001],
])('%j is an amount', (text, amount) => {
  expect(parseAmount(text)).toBe(amount)
})

test.each([
  '',
  '0',
  '0.0',
  '-1',
  '+1',
  '1e3',
  '.5',
  '1.',
  '1.0000001',
  'NaN',
  'Infinity',
  '1 000',
  '1250,5',
  '1.250,5',
  '12,50',
  ',500',
  '0x10',
])('%j is not an amount', (text) => {
  expect(parseAmount(text)).toBeNull()
})

test.each(['8,589,934,592', '9007199255', '9'.repeat(400)])('%s is an amount, and too much', (text) => {
  expect(parseAmount(text)).toBeGreaterThan(LARGEST_REQUEST)
})

test('an amount is shown with every digit it has, and can be typed back', () => {
  expect(formatExact(1_234_567.000001)).toBe('1,234,567.000001')
  expect(formatExact(1_000)).toBe('1,000')
  expect(parseAmount(formatInput(1_234_567.000001))).toBe(1_234_567.000001)
})

test('what came or went is floored, but never reads 0 unless it is nothing; what is unknown is a dash', () => {
  expect([1_234.9, 1, 0.75, 0.000001, 0].map(formatAmount)).toEqual(['1,234', '1', '0.75', '0.000001', '0'])
  expect([formatAmount(Number.NaN), formatExact(Number.NaN), formatInput(Number.NaN)]).toEqual(['–', '–', ''])
})
