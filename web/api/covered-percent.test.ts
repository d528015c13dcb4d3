import { expect, test } from 'vitest'
import { coveredPercent } from './covered-percent.ts'

test('only what is covered to the last unit reads 100', () => {
  expect(coveredPercent({ tokens: 100_000_000, owed: 100_000_000 })).toBe(100)
  expect(coveredPercent({ tokens: 99_999_999.999999, owed: 100_000_000 })).toBe(99.9)
  expect(coveredPercent({ tokens: 1, owed: 3 })).toBe(33.3)
  expect(coveredPercent({ tokens: 0, owed: 5 })).toBe(0)
  expect(coveredPercent({ tokens: 3, owed: 2 })).toBe(150)
  expect(coveredPercent({ tokens: 0, owed: 0 })).toBe(100)
})
