import { expect, test } from 'vitest'
import { costsOf } from './costs.ts'
import { HABITS } from './habits.ts'
import { planFor } from './plan.ts'
import { readRecorded } from './recorded.ts'
import { calibrate, checkModel, simulateApi } from './sockets.ts'

const recorded = readRecorded()
const model = calibrate(recorded)

test('the model meets the measurement with 10,000 sockets that it does not contain', () => {
  for (const { what, error } of checkModel(recorded, model)) {
    // With many changes at once it is pessimistic, never optimistic.
    const [least, most] = what.includes('one change at a time') ? [-0.1, 0.1] : [0, 0.5]
    expect(error).toBeGreaterThan(least)
    expect(error).toBeLessThan(most)
  }
})

test('more sockets or changes never cost less, and more players never need less', () => {
  const p99Of = (sockets: number) => simulateApi(model, { sockets, changesPerSecond: 5 }).p99Ms
  expect(p99Of(2_000)).toBeLessThan(p99Of(20_000))
  const costs = costsOf(recorded)
  for (const habits of HABITS) {
    const [small, large] = [planFor(1e4, habits, costs, model), planFor(1e6, habits, costs, model)]
    for (const figure of Object.keys(small) as (keyof typeof small)[])
      expect(large[figure]).toBeGreaterThanOrEqual(small[figure])
  }
})

test('a figure that the results lack is named', () => {
  expect(() => recorded('claims', 'nobody', 'p50')).toThrow('The results have no p50 of nobody in claims.')
  for (const { perDay } of HABITS)
    expect(costsOf(recorded).map(({ what }) => what)).toEqual(expect.arrayContaining(Object.keys(perDay)))
})
