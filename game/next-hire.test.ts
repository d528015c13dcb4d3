import { expect, test } from 'vitest'
import { CONTINENTS } from './continents.ts'
import { baseUnits, cotton, ZERO } from './cotton.ts'
import type { MilestoneFacts } from './milestones.ts'
import { msUntil, nextHire } from './next-hire.ts'
import { claimable, type WorkerType } from './workers.ts'

const PLENTY = { kid: 1_000, grandma: 1_000, grandad: 1_000, bigman: 1_000 }

const farm = (workers: Partial<Record<WorkerType, number>>, available = PLENTY): MilestoneFacts => ({
  workers: { kid: 0, grandma: 0, grandad: 0, bigman: 0, ...workers },
  available,
  harvested: ZERO,
  hasSold: false,
  parcelIds: [],
  landOf: Object.fromEntries(CONTINENTS.map((code) => [code, 10])) as MilestoneFacts['landOf'],
  countries: 60,
})

test('the next hire is towards the milestone that costs least', () => {
  expect(nextHire(farm({}))).toMatchObject({ workerType: 'kid', milestone: { code: 'first-picker' } })
  expect(nextHire(farm({ kid: 1 }))).toMatchObject({
    workerType: 'kid',
    price: cotton(50_000),
    owned: 1,
    milestone: { code: 'kid-2' },
  })
  expect(nextHire(farm({ kid: 2, grandma: 1 }))).toMatchObject({ milestone: { code: 'grandma-2' } })
  expect(nextHire(farm({ kid: 5, grandma: 2, grandad: 1 }))).toMatchObject({
    workerType: 'kid',
    milestone: { code: 'kid-10' },
  })
})

test('of two milestones that cost the same, the next hire is towards the first', () => {
  expect(nextHire(farm({ kid: 3, grandma: 1 }))).toMatchObject({ milestone: { code: 'kid-5' } })
})

test('the family costs the pickers of the types that are missing', () => {
  expect(nextHire(farm({ kid: 10, grandma: 10, grandad: 5 }))).toMatchObject({
    workerType: 'bigman',
    milestone: { code: 'family' },
  })
})

test('a milestone whose pickers are sold out is no goal', () => {
  const lastKid = { kid: 1, grandma: 0, grandad: 0, bigman: 0 }
  expect(nextHire(farm({ kid: 1 }, lastKid))).toMatchObject({ milestone: { code: 'kid-2' } })
  expect(nextHire(farm({}, { ...PLENTY, kid: 0 }))).toMatchObject({
    workerType: 'grandma',
    milestone: { code: 'first-picker' },
  })
  expect(nextHire(farm({ kid: 1 }, { kid: 0, grandma: 1, grandad: 0, bigman: 0 }))).toBeNull()
  expect(nextHire(farm({}, { kid: 0, grandma: 0, grandad: 0, bigman: 0 }))).toBeNull()
})

test('a farm with every milestone of pickers has no next hire', () => {
  expect(nextHire(farm({ kid: 100, grandma: 100, grandad: 100, bigman: 100 }))).toBeNull()
})

test('the forecast is the instant at which the claimable credit makes up the difference (X-23)', () => {
  const since = new Date('2026-01-05T12:00:00.000Z')
  const ms = msUntil({ have: cotton(4_089), need: cotton(50_000), ratePerHour: 5_000 })!
  expect(ms).toBe(Math.ceil((45_911 / 5_000) * 3_600_000))
  const kid = { base: ZERO, ratePerHour: 5_000, since, claimed: ZERO }
  expect(claimable(kid, new Date(since.getTime() + ms))).toBe(cotton(45_911))
  expect(claimable(kid, new Date(since.getTime() + ms - 1_000))).toBeLessThan(cotton(45_911))
})

test('an amount that is there needs no time, and a farm without pickers has no forecast', () => {
  expect(msUntil({ have: cotton(50_000), need: cotton(50_000), ratePerHour: 0 })).toBe(0)
  expect(msUntil({ have: ZERO, need: cotton(1), ratePerHour: 0 })).toBeNull()
})

test('a forecast is rounded up to the millisecond at which the amount is there, and not earlier', () => {
  expect(msUntil({ have: ZERO, need: baseUnits(1n), ratePerHour: 5_000.9 })).toBe(1)
  expect(msUntil({ have: ZERO, need: cotton(1), ratePerHour: 0.9 })).toBeNull()
  expect(msUntil({ have: ZERO, need: baseUnits(5_000n), ratePerHour: 18 })).toBe(1_000)
  expect(msUntil({ have: ZERO, need: baseUnits(5_001n), ratePerHour: 18 })).toBe(1_001)
})
