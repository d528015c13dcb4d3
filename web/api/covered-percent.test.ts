import { expect, test } from 'vitest'
import { baseUnits, cotton, ZERO } from '#game/cotton.ts'
import { coveredPercent } from './covered-percent.ts'

test('only a reserve that covers every base unit reads 100', () => {
  const owed = cotton(100_000_000)
  expect(coveredPercent({ tokens: owed, owed })).toBe(100)
  expect(coveredPercent({ tokens: baseUnits(owed - 1n), owed })).toBe(99.9)
  expect(coveredPercent({ tokens: cotton(1), owed: cotton(3) })).toBe(33.3)
  expect(coveredPercent({ tokens: ZERO, owed: cotton(5) })).toBe(0)
  expect(coveredPercent({ tokens: cotton(3), owed: cotton(2) })).toBe(150)
  expect(coveredPercent({ tokens: ZERO, owed: ZERO })).toBe(100)
  expect(coveredPercent({ tokens: null, owed })).toBeNull()
})
