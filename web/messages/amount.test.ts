import { expect, test } from 'vitest'
import { baseUnits, cotton, formatExact, LARGEST_REQUEST, ZERO } from '#game/cotton.ts'
import {
  formatAmount,
  formatCompact,
  formatInput,
  formatShort,
  parseAmount,
  parseWholeAmount,
} from './amount.ts'

test.each([
  ['700000', 700_000_000_000n],
  [' 1,250.5 ', 1_250_500_000n],
  ['0.000001', 1n],
  ['١٬٢٥٠٫٥', 1_250_500_000n],
  ['۱۲۵۰٫۹', 1_250_900_000n],
  ['१२', 12_000_000n],
  ['১২.৯', 12_900_000n],
  ['１，２５０．５', 1_250_500_000n],
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
  '0,500',
  '00,125',
  '012,500.5',
  '0x10',
  '١٢٥٠٬٥',
  '۰',
  '三',
  'Ⅲ',
  '²',
  '\u{1d7d1}',
  '−1',
  '1’250',
  '1\u00a0250',
])('%j is not an amount', (text) => {
  expect(parseAmount(text)).toBeNull()
})

test.each(['8,589,934,592', '9007199255', '9'.repeat(400)])(
  '%s is an amount above the limit of a request',
  (text) => {
    const amount = parseAmount(text)
    expect(amount).toBeGreaterThan(cotton(LARGEST_REQUEST))
    expect(amount).toBeLessThanOrEqual(cotton(Number.MAX_SAFE_INTEGER))
  },
)

test('a whole amount has no decimal point', () => {
  expect(['1', ' 120,000 '].map(parseWholeAmount)).toEqual([cotton(1), cotton(120_000)])
  for (const text of ['1.5', '1.0', '١٫٠', '1.', '0', '']) expect(parseWholeAmount(text), text).toBeNull()
})

test('an exact amount shows every digit and can be typed back (S-62)', () => {
  const amount = baseUnits(1_234_567_000_001n)
  expect(formatExact(amount)).toBe('1,234,567.000001')
  expect(formatExact(cotton(1_000))).toBe('1,000')
  expect(formatExact(baseUnits(1_500_000n))).toBe('1.5')
  expect(formatInput(cotton(1_000))).toBe('1000')
  expect(parseAmount(formatInput(amount))).toBe(amount)
})

test('a moved amount is floored, but reads 0 only if it is zero; an unknown one is a dash', () => {
  const amounts = [1_234_900_000n, 1_000_000n, 750_000n, 1n].map(baseUnits)
  expect([...amounts, ZERO].map(formatAmount)).toEqual(['1,234', '1', '0.75', '0.000001', '0'])
  expect([formatAmount(null), formatExact(null), formatInput(null)]).toEqual(['–', '–', ''])
})

test('a short amount has one or two decimals and a unit, and is never rounded up (S-62)', () => {
  expect(formatShort(cotton(12_345_678), 2)).toBe('12.34M')
  expect(formatShort(cotton(999_999_999), 2)).toBe('999.99M')
  expect(formatShort(cotton(1_999), 1)).toBe('1.9K')
  expect(formatShort(cotton(106_121), 1)).toBe('106.1K')
  expect(formatShort(null, 1)).toBe('–')
})

test('an amount is shortened from 100 million on, and never rounded up (S-62)', () => {
  const compact = [99_999_999, 100_000_000, 185_329_999, 999_999_999, 1_234_567_890, 10 ** 12].map((whole) =>
    formatCompact(cotton(whole)),
  )
  expect(compact).toEqual(['99,999,999', '100M', '185.32M', '999.99M', '1.23B', '1T'])
})
