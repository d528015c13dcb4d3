import { expect, test } from 'vitest'
import { createRandom } from '#tests/simulation/random.ts'
import { findTrend, judgeGrowth, judgeMemory } from './trend.ts'

const random = createRandom(1)
const noisy = (count: number, line: (at: number) => number, noise: number): number[] =>
  Array.from({ length: count }, (_, at) => line(at) + noise * (random.fraction() - 0.5))

test('the slope of a line is found through noise and outliers', () => {
  const values = noisy(40, (at) => 100 + 3 * at, 10)
  values[7] = 5_000
  const { slope, from, to } = findTrend(values)
  expect(slope).toBeCloseTo(3, 0)
  expect(from).toBeLessThan(3)
  expect(to).toBeGreaterThan(3)
})

test('noise is flat, a leak is not, growth within the tolerance is, and of a few wild values nothing is said', () => {
  const flat = Array.from({ length: 100 }, () =>
    judgeGrowth(
      noisy(30, () => 100, 10),
      0,
    ),
  )
  expect(flat.filter((verdict) => verdict === 'flat within noise').length).toBeGreaterThan(90)
  const growing = noisy(30, (at) => 100 + at, 10)
  expect(judgeGrowth(growing, 0.05)).toBe('grows')
  const slowly = noisy(30, (at) => 100 + at / 20, 0.1)
  expect(judgeGrowth(slowly, 0.05)).toBe('flat within noise')
  expect(judgeGrowth([100, 250, 90, 260], 0.05)).toBe('too noisy')
})

test('memory that no longer grows in the second half has grown in steps, and a leak still grows', () => {
  const leak = noisy(90, (at) => 300 + at / 4, 4)
  const step = noisy(90, (at) => (at < 35 ? 250 : 284), 4)
  const filling = noisy(90, (at) => 200 + 40 * Math.min(1, at / 45), 4)
  const lateLeak = noisy(90, (at) => 300 + Math.max(0, at - 45), 4)
  for (const values of [leak, lateLeak, step, filling]) expect(judgeGrowth(values, 0.05)).toBe('grows')
  for (const values of [leak, lateLeak]) expect(judgeMemory(values, 0.05)).toBe('grows')
  for (const values of [step, filling]) expect(judgeMemory(values, 0.05)).toBe('grows in steps')
  expect(judgeMemory([100, 110, 120, 130], 0.05)).toBe('grows')
})
