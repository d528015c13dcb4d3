import { expect, test } from 'vitest'
import { chanceToBeSlower } from './rank-test.ts'

test('the rank test counts how often the first is larger, with ties as half', () => {
  expect(chanceToBeSlower([3, 4], [1, 2])).toBe(1)
  expect(chanceToBeSlower([1, 2], [3, 4])).toBe(0)
  expect(chanceToBeSlower([1, 1, 2], [1, 1, 2])).toBe(0.5)
  expect(chanceToBeSlower([1, 3], [2, 4])).toBe(0.25)
  expect(chanceToBeSlower([5, 1_000_000], [5, 1])).toBe(0.875)
})
