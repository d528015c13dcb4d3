import { expect, test } from 'vitest'
import { baseUnits, cotton, ZERO } from '#game/cotton.ts'
import { WORKER_TYPES } from '#game/workers.ts'
import type { OwnedWorker } from '#web/api/use-owned-workers.ts'
import { plotsAt, ripeness } from './plots.ts'

const ANSWERED_AT = '2026-11-20T12:00:10.500Z'
const at = (seconds: number): Date => new Date(Date.parse(ANSWERED_AT) + seconds * 1_000)

/** The worked example of the rules: a kid, 10.5 s after it was hired. */
const kid: OwnedWorker = {
  workerId: 'kid-0001',
  workerType: 'kid',
  totalGeneratedTokens: baseUnits(14_583_333n),
  claimedGeneratedTokens: ZERO,
  unclaimedTokens: cotton(14),
  generationRate: 5_000,
  purchaseDate: '2026-11-20T12:00:00.000Z',
  lastTokenUpdate: ANSWERED_AT,
}

test('a field for each type is shown in the game’s order, also without workers (S-49)', () => {
  const plots = plotsAt([kid], at(0))
  expect(plots.map(({ type, count }) => [type, count])).toEqual(
    WORKER_TYPES.map((type) => [type, type === 'kid' ? 1 : 0]),
  )
})

test('a field counts on from the reply in whole $COTTON, and never adds unclaimed credit twice (S-99, A-12, N-04)', () => {
  expect(plotsAt([kid], at(0))[0]?.claimable).toBe(cotton(14))
  expect(plotsAt([kid], at(0.5))[0]?.claimable).toBe(cotton(15))
  expect(plotsAt([kid], at(3_600))[0]?.claimable).toBe(cotton(5_014))
})

test('a clock behind the reply subtracts nothing', () => {
  expect(plotsAt([kid], at(-60))[0]?.claimable).toBe(cotton(14))
})

test('claimed credit is no longer on the field, whatever the decimals of the reply', () => {
  const claimed = {
    ...kid,
    totalGeneratedTokens: baseUnits(15_277_777n),
    claimedGeneratedTokens: cotton(15),
    unclaimedTokens: ZERO,
  }
  expect(plotsAt([claimed], at(0))[0]?.claimable).toBe(cotton(0))
})

test('each worker has its own fraction: a field pays the sum of whole amounts, like the server', () => {
  const half = { ...kid, totalGeneratedTokens: baseUnits(600_000n), unclaimedTokens: ZERO }
  expect(plotsAt([half, { ...half, workerId: 'kid-0002' }], at(0))[0]?.claimable).toBe(cotton(0))
})

test('a field sprouts for a minute, shows some cotton, and is ripe after a third of an hour', () => {
  const [field] = plotsAt([{ ...kid, totalGeneratedTokens: ZERO, unclaimedTokens: ZERO }], at(0))
  if (!field) throw new Error('no field')
  expect(ripeness(field)).toBe(0)
  expect(ripeness({ ...field, claimable: cotton(83) })).toBe(0)
  expect(ripeness({ ...field, claimable: cotton(84) })).toBe(1)
  expect(ripeness({ ...field, claimable: cotton(1_666) })).toBe(1)
  expect(ripeness({ ...field, claimable: cotton(1_667) })).toBe(2)
})
