import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  baseUnits,
  cotton,
  formatCotton,
  formatCount,
  formatExact,
  fromDecimal,
  fromReply,
  fromWire,
  LARGEST_REQUEST,
  smallerOf,
  sumOf,
  toDecimal,
  toWire,
  wholeOf,
  ZERO,
} from './cotton.ts'

test('an amount in a request is read to the sixth decimal', () => {
  expect(fromWire(1)).toBe(1_000_000n)
  expect(fromWire(0.000001)).toBe(1n)
  expect(fromWire(0.1)).toBe(100_000n)
  expect(fromWire(14.583333)).toBe(14_583_333n)
  expect(LARGEST_REQUEST).toBe(8_589_934_591)
  expect(fromWire(LARGEST_REQUEST)).toBe(cotton(LARGEST_REQUEST))
})

test('a number that is not a valid amount is not read as one', () => {
  const hostile = [0, -1, -0, 0.0000001, 1.0000001, 1e21, LARGEST_REQUEST + 1, NaN, Infinity, -Infinity]
  for (const amount of hostile) expect(fromWire(amount), String(amount)).toBeNull()
})

test('every amount of a request survives the conversion to a JSON number and back', () => {
  const units = fc.bigInt({ min: 1n, max: cotton(LARGEST_REQUEST) })
  fc.assert(fc.property(units, (amount) => fromWire(toWire(baseUnits(amount))) === amount))
})

test('every amount in a reply is read to the base unit, whatever its sign', () => {
  const units = fc.bigInt({ min: -cotton(LARGEST_REQUEST), max: cotton(LARGEST_REQUEST) })
  fc.assert(fc.property(units, (amount) => fromReply(toWire(baseUnits(amount))) === amount))
})

test('an amount in a reply above 2³³ is shown like its number', () => {
  expect(fromReply(1e12 + 0.5)).toBe(1_000_000_000_000_500_000n)
  const units = fc.bigInt({ min: cotton(LARGEST_REQUEST), max: cotton(10n ** 15n) })
  fc.assert(
    fc.property(units, (amount) => {
      const number = toWire(baseUnits(amount))
      return formatCotton(fromReply(number)!) === formatCount(number)
    }),
  )
})

test('whole $COTTON are exact as a JSON number, whatever their size and sign', () => {
  expect(toWire(cotton(999_999_999_999))).toBe(999_999_999_999)
  fc.assert(fc.property(fc.maxSafeInteger(), (whole) => toWire(cotton(whole)) === whole))
})

test('a number that is not finite is no amount', () => {
  expect([Number.NaN, Infinity, -Infinity].map(fromReply)).toEqual([null, null, null])
})

test('amounts are shown floored, with thousands separators (S-62)', () => {
  expect(formatCotton(baseUnits(1_234_900_000n))).toBe('1,234')
  expect(formatCotton(cotton(0))).toBe('0')
  expect(formatCotton(cotton(-1_234))).toBe('-1,234')
  expect(formatCotton(baseUnits(-1n))).toBe('-1')
})

test('thousands are separated like in American English', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (whole) => {
      expect(formatCotton(baseUnits(whole * 1_000_000n))).toBe(whole.toLocaleString('en-US'))
    }),
  )
  fc.assert(fc.property(fc.maxSafeInteger(), (count) => formatCount(count) === count.toLocaleString('en-US')))
})

test('counts are shown floored, with thousands separators, and a dash if unknown', () => {
  expect([1_234.9, 0, -0.5, Number.NaN].map(formatCount)).toEqual(['1,234', '0', '-1', '–'])
})

test('the whole part never exceeds the amount and leaves less than one $COTTON', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), (amount) => {
      const rest = amount - wholeOf(baseUnits(amount))
      return rest >= 0n && rest < 1_000_000n
    }),
  )
})

test('an exact amount is written without trailing zeros and can be read back', () => {
  const amounts = [0n, 1n, -1n, 1_234_500_000n, -1_000_001n, 30_000_000n].map(toDecimal)
  expect(amounts).toEqual(['0', '0.000001', '-0.000001', '1234.5', '-1.000001', '30'])
  const units = fc.bigInt({ min: 0n, max: 10n ** 30n })
  fc.assert(fc.property(units, (amount) => fromDecimal(toDecimal(amount)) === amount))
})

test('only digits with at most six decimals are read as an exact amount', () => {
  const wrong = [
    '',
    '.',
    '1.',
    '.5',
    '-1',
    '+1',
    '1e3',
    '1,000',
    ' 1',
    '1 ',
    '1\n',
    '0x1',
    'a1',
    '1a',
    '1.1234567',
  ]
  expect(wrong.filter((text) => fromDecimal(text) !== null)).toEqual([])
  expect(fromDecimal('007.10')).toBe(7_100_000n)
})

test('an exact amount is shown with separators before its point only', () => {
  expect(formatExact(1_234_567_123_456n)).toBe('1,234,567.123456')
  expect(formatExact(-1_000_500_000n)).toBe('-1,000.5')
})

test('an amount that is not known is shown as a dash', () => {
  expect([formatCotton(null), formatExact(null)]).toEqual(['–', '–'])
})

test('amounts are added, and the smaller of two is found, to the base unit', () => {
  expect(sumOf([])).toBe(ZERO)
  fc.assert(
    fc.property(fc.array(fc.bigInt().map(baseUnits), { minLength: 1 }), (amounts) => {
      const [first = ZERO, ...rest] = amounts
      expect(sumOf(amounts)).toBe(first + sumOf(rest))
      for (const other of rest) {
        const smaller = smallerOf(first, other)
        expect([first, other]).toContain(smaller)
        expect(smaller <= first && smaller <= other).toBe(true)
      }
    }),
  )
})
