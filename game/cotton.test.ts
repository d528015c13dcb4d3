import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  baseUnits,
  cotton,
  formatCotton,
  formatCount,
  fromReply,
  fromWire,
  LARGEST_REQUEST,
  toWire,
  wholeOf,
} from './cotton.ts'

test('an amount in a request is read to the sixth decimal', () => {
  expect(fromWire(1)).toBe(1_000_000n)
  expect(fromWire(0.000001)).toBe(1n)
  expect(fromWire(0.1)).toBe(100_000n)
  expect(fromWire(14.583333)).toBe(14_583_333n)
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
