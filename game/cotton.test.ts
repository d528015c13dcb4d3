import fc from 'fast-check'
import { expect, test } from 'vitest'
import { baseUnits, cotton, fromWire, LARGEST_REQUEST, formatCotton, toWire, wholeOf } from './cotton.ts'

test('an amount on the wire is read to the last of its six decimals', () => {
  expect(fromWire(1)).toBe(1_000_000n)
  expect(fromWire(0.000001)).toBe(1n)
  expect(fromWire(0.1)).toBe(100_000n)
  expect(fromWire(14.583333)).toBe(14_583_333n)
  expect(fromWire(LARGEST_REQUEST)).toBe(cotton(LARGEST_REQUEST))
})

test('what is not an amount is not read as one', () => {
  const hostile = [0, -1, -0, 0.0000001, 1.0000001, 1e21, LARGEST_REQUEST + 1, NaN, Infinity, -Infinity]
  for (const amount of hostile) expect(fromWire(amount), String(amount)).toBeNull()
})

test('every amount that a request can name comes back from the wire as itself', () => {
  const units = fc.bigInt({ min: 1n, max: cotton(LARGEST_REQUEST) })
  fc.assert(fc.property(units, (amount) => fromWire(toWire(baseUnits(amount))) === amount))
})

test('amounts are shown floored, with thousands separators', () => {
  expect(formatCotton(baseUnits(1_234_900_000n))).toBe('1,234')
  expect(formatCotton(999.99)).toBe('999')
  expect(formatCotton(cotton(0))).toBe('0')
})

test('the whole part never exceeds the amount and leaves less than one $COTTON', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), (amount) => {
      const rest = amount - wholeOf(baseUnits(amount))
      return rest >= 0n && rest < 1_000_000n
    }),
  )
})
