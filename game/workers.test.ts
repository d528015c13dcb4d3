import fc from 'fast-check'
import { expect, test } from 'vitest'
import { baseUnits, toWire, wholeOf, ZERO } from './cotton.ts'
import { type Accrual, claimable, generated, placeOf, WORKER_TYPES, workerId, WORKERS } from './workers.ts'

const kid: Accrual = {
  base: ZERO,
  ratePerHour: 5_000,
  since: new Date('2026-01-05T12:00:00.000Z'),
  claimed: ZERO,
}

test('a kid generates what the worked example of the design says (A-12, N-04)', () => {
  const early = new Date('2026-01-05T12:00:10.500Z')
  expect(toWire(generated(kid, early))).toBe(14.583333)
  expect(toWire(claimable(kid, early))).toBe(14)
  const later = new Date('2026-01-05T12:00:11.000Z')
  const paid = claimable(kid, later)
  expect(toWire(paid)).toBe(15)
  const after = { ...kid, claimed: paid }
  expect(toWire(generated(after, later))).toBe(15.277777)
  expect(claimable(after, later)).toBe(ZERO)
})

test('the four types have the prices and rates of the spec, in its order (S-49, S-58)', () => {
  const table = WORKER_TYPES.map((type) => [type, toWire(WORKERS[type].price), WORKERS[type].ratePerHour])
  expect(table).toEqual([
    ['kid', 50_000, 5_000],
    ['grandma', 100_000, 13_000],
    ['grandad', 250_000, 40_000],
    ['bigman', 500_000, 100_000],
  ])
})

test('the apy field is the rate of a year over the price, in percent (S-58, A-14)', () => {
  expect(WORKER_TYPES.map((type) => WORKERS[type].apy)).toEqual([87_600, 113_880, 140_160, 175_200])
  for (const { apy, ratePerHour, price } of Object.values(WORKERS))
    expect(apy).toBeCloseTo((ratePerHour * 8_760 * 100) / toWire(price))
})

test('many claims pay exactly what one claim pays (S-99, A-13)', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 1, maxLength: 50 })
  fc.assert(
    fc.property(steps, fc.constantFrom(...WORKER_TYPES), (waits, type) => {
      let worker: Accrual = { ...kid, ratePerHour: WORKERS[type].ratePerHour }
      let now = worker.since
      for (const wait of waits) {
        now = new Date(now.getTime() + wait)
        worker = { ...worker, claimed: baseUnits(worker.claimed + claimable(worker, now)) }
      }
      return worker.claimed === wholeOf(generated(worker, now))
    }),
  )
})

test('a clock that runs backwards pays nothing (S-99)', () => {
  const worker = { ...kid, claimed: baseUnits(5_000_000n) }
  expect(claimable(worker, new Date('2026-01-05T11:00:00.000Z'))).toBe(ZERO)
})

test('what was generated before the rate changed is kept and added', () => {
  const worker = { ...kid, base: baseUnits(7_000_000n) }
  expect(toWire(generated(worker, new Date('2026-01-05T12:00:10.500Z')))).toBe(21.583333)
})

test('the four types have the names and the supplies of the design (S-49)', () => {
  expect(WORKER_TYPES.map((type) => [WORKERS[type].name, WORKERS[type].maxSupply])).toEqual([
    ['Kid', 10_000],
    ['Grandma', 5_000],
    ['Grandad', 2_000],
    ['BigMan', 1_000],
  ])
})

test('an id contains the number within the supply, which can be read from it', () => {
  for (const type of WORKER_TYPES) expect(placeOf(type, workerId(type, 42))).toBe(42)
  expect(placeOf('grandma', workerId('grandma', 12_345))).toBe(12_345)
  expect(workerId('kid', 42)).toBe('kid-0042')
  expect(workerId('bigman', 12_345)).toBe('bigman-12345')
})
