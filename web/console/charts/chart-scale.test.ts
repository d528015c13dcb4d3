import { expect, test } from 'vitest'
import { pickEvenly, roundTicks, scaleBetween } from './chart-scale.ts'

test('ticks are round numbers that enclose the values', () => {
  expect(roundTicks({ min: 0, max: 97, count: 4 })).toEqual([0, 25, 50, 75, 100])
  expect(roundTicks({ min: -3, max: 7, count: 4 })).toEqual([-5, -2.5, 0, 2.5, 5, 7.5])
  expect(roundTicks({ min: 0, max: 1_300_000, count: 4 })).toEqual([0, 500_000, 1_000_000, 1_500_000])
})

test('a chart without a range has ticks: one value, only zeros, no values', () => {
  expect(roundTicks({ min: 0, max: 0, count: 4 })).toEqual([0, 1])
  expect(roundTicks({ min: 40, max: 40, count: 4 })).toEqual([0, 40])
  expect(roundTicks({ min: Infinity, max: -Infinity, count: 4 })).toEqual([0, 1])
})

test('a scale maps the ends of the range to the ends of the axis', () => {
  const scale = scaleBetween({ range: [10, 20], ends: [100, 0] })
  expect([10, 15, 20].map(scale)).toEqual([100, 50, 0])
  expect(scaleBetween({ range: [5, 5], ends: [0, 9] })(5)).toBe(0)
})

test('a selection has the first and the last element, and none twice', () => {
  expect(pickEvenly([1, 2, 3, 4, 5], 3)).toEqual([1, 3, 5])
  expect(pickEvenly([1, 2], 5)).toEqual([1, 2])
})
