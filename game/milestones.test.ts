import { expect, test } from 'vitest'
import { type ContinentCode, CONTINENTS } from './continents.ts'
import { cotton, ZERO } from './cotton.ts'
import {
  FAMILY,
  isCountry,
  isReached,
  type MilestoneFacts,
  milestoneOf,
  MILESTONES,
  nextMilestones,
  progressOf,
  reachedMilestones,
  shareOf,
} from './milestones.ts'
import { PARCELS } from './world.ts'

const landOf = Object.fromEntries(
  CONTINENTS.map((code) => [code, PARCELS.filter(({ regionId }) => regionId === code).length]),
) as Record<ContinentCode, number>

const NOBODY: MilestoneFacts = {
  workers: { kid: 0, grandma: 0, grandad: 0, bigman: 0 },
  available: { kid: 100, grandma: 100, grandad: 100, bigman: 100 },
  harvested: ZERO,
  hasSold: false,
  parcelIds: [],
  landOf,
  countries: PARCELS.filter(({ parcelId }) => isCountry(parcelId)).length,
}

const codes = (facts: Partial<MilestoneFacts>): string[] =>
  reachedMilestones({ ...NOBODY, ...facts }).map(({ code }) => code)

test('a player without anything has reached nothing', () => {
  expect(codes({})).toEqual([])
})

test('the first picker, a second of a type and all four of the family are milestones', () => {
  expect(codes({ workers: { kid: 1, grandma: 0, grandad: 0, bigman: 0 } })).toEqual(['first-picker'])
  expect(codes({ workers: { kid: 2, grandma: 1, grandad: 1, bigman: 0 } })).toEqual(['first-picker', 'kid-2'])
  expect(codes({ workers: { kid: 1, grandma: 1, grandad: 1, bigman: 5 } })).toEqual([
    'first-picker',
    'bigman-2',
    'bigman-5',
    'family',
  ])
})

test('the family stays the four types of the specification, for which players have the milestone', () => {
  expect(FAMILY).toEqual(['kid', 'grandma', 'grandad', 'bigman'])
  expect(progressOf(milestoneOf('family')!, NOBODY)).toEqual({ have: 0n, need: 4n })
})

test('the first sale is a milestone', () => {
  expect(codes({ hasSold: true })).toEqual(['first-sale'])
})

test('a harvest level is reached by the amount claimed, to the base unit', () => {
  expect(codes({ harvested: (cotton(1_000) - 1n) as typeof ZERO })).toEqual([])
  expect(codes({ harvested: cotton(10_000) })).toEqual(['harvest-1000', 'harvest-10000'])
})

test('land counts for its continent, a sector of Antarctica is no country, and continents count once', () => {
  expect(codes({ parcelIds: ['SA-BR'] })).toEqual(['countries-1'])
  expect(codes({ parcelIds: ['AN-01', 'AN-02', 'AN-03'] })).toEqual(['AN-3'])
  expect(codes({ parcelIds: ['SA-BR', 'SA-PY', 'SA-AR', 'EU-FR'] })).toEqual([
    'countries-1',
    'SA-3',
    'continents-2',
  ])
})

test('a whole continent is all the land that it has; one without land is never complete', () => {
  const all = PARCELS.filter(({ regionId }) => regionId === 'SA').map(({ parcelId }) => parcelId)
  expect(codes({ parcelIds: all.slice(1) })).not.toContain('SA-all')
  expect(codes({ parcelIds: all })).toContain('SA-all')
  expect(codes({ parcelIds: all.slice(1), landOf: { ...landOf, SA: all.length - 1 } })).toContain('SA-all')
  expect(codes({ landOf: { ...landOf, AN: 0 } })).toEqual([])
})

test('all facts at their largest reach every milestone, and each is found by its code', () => {
  const everything = {
    ...NOBODY,
    workers: { kid: 100, grandma: 100, grandad: 100, bigman: 100 },
    harvested: cotton(1_000_000_000_000),
    hasSold: true,
    parcelIds: PARCELS.map(({ parcelId }) => parcelId),
  }
  expect(reachedMilestones(everything)).toEqual(MILESTONES)
  expect(nextMilestones(everything)).toEqual([])
  expect(MILESTONES.map(({ code }) => milestoneOf(code))).toEqual(MILESTONES)
})

test('a milestone that is reached stays reached while the facts grow', () => {
  const steps: Partial<MilestoneFacts>[] = [
    { workers: { kid: 1, grandma: 0, grandad: 0, bigman: 0 } },
    { harvested: cotton(50_000) },
    { parcelIds: ['SA-BR', 'SA-PY', 'SA-AR'] },
    { hasSold: true },
    { workers: { kid: 10, grandma: 2, grandad: 1, bigman: 1 } },
    { parcelIds: PARCELS.map(({ parcelId }) => parcelId) },
  ]
  let facts = NOBODY
  let before: string[] = []
  for (const step of steps) {
    facts = { ...facts, ...step }
    const now = codes(facts)
    expect(now).toEqual(expect.arrayContaining(before))
    expect(now.length).toBeGreaterThan(before.length)
    before = now
  }
})

test('the next milestones are the lowest open level of each series, the most nearly reached first', () => {
  const facts = { ...NOBODY, harvested: cotton(49_000), workers: { ...NOBODY.workers, kid: 3 } }
  const next = nextMilestones(facts)
  expect(next.slice(0, 3).map(({ code }) => code)).toEqual(['harvest-50000', 'kid-5', 'family'])
  expect(next.map(({ code }) => code)).not.toContain('kid-10')
  expect(next.every((milestone) => !isReached(milestone, facts))).toBe(true)
})

test('a new player is shown the lowest level of every series, in the order of the list', () => {
  expect(nextMilestones(NOBODY).map(({ code }) => code)).toEqual([
    'first-picker',
    'kid-2',
    'grandma-2',
    'grandad-2',
    'bigman-2',
    'family',
    'harvest-1000',
    'countries-1',
    ...CONTINENTS.map((continent) => `${continent}-3`),
    'continents-2',
    'first-sale',
  ])
})

test('a level above the land of a continent is skipped', () => {
  const next = nextMilestones({ ...NOBODY, landOf: { ...landOf, AN: 3, OC: 0 } }).map(({ code }) => code)
  expect(next).toContain('AN-all')
  expect(next.filter((code) => code.startsWith('OC'))).toEqual([])
})

test('a number of continents above those that have land is skipped', () => {
  const smallWorld = { ...NOBODY, landOf: { ...landOf, NA: 0, SA: 0, AS: 0, AF: 0, OC: 0 } }
  const next = (parcelIds: string[]): string[] =>
    nextMilestones({ ...smallWorld, parcelIds }).map(({ code }) => code)
  expect(next(['EU-FR'])).toContain('continents-2')
  expect(next(['EU-FR', 'AN-01']).filter((code) => code.startsWith('continents'))).toEqual([])
})

test('a number of countries above those of the world is skipped', () => {
  const next = (countries: number): string[] =>
    nextMilestones({ ...NOBODY, parcelIds: ['EU-FR'], countries }).map(({ code }) => code)
  expect(next(10)).toContain('countries-10')
  expect(next(9).filter((code) => code.startsWith('countries'))).toEqual([])
})

test('pickers that cannot be hired are no next milestone, and those that can come on top of the player’s own', () => {
  const next = (facts: Partial<MilestoneFacts>): string[] =>
    nextMilestones({ ...NOBODY, ...facts }).map(({ code }) => code)
  const oneKid = { kid: 1, grandma: 0, grandad: 0, bigman: 0 }
  expect(next({ workers: oneKid, available: { ...NOBODY.available, kid: 1 } })).toEqual(
    expect.arrayContaining(['kid-2', 'grandma-2', 'family']),
  )
  const soldOut = next({ workers: oneKid, available: { kid: 0, grandma: 1, grandad: 2, bigman: 0 } })
  expect(soldOut).toContain('grandad-2')
  expect(soldOut).not.toContain('family')
  expect(soldOut.filter((code) => /^(kid|grandma|bigman)-/.test(code))).toEqual([])
  expect(next({ available: oneKid })).toContain('first-picker')
  expect(next({ available: NOBODY.workers })).not.toContain('first-picker')
})

test('progress counts up to and beyond what is needed, and its share stays within 0 and 1', () => {
  const level = milestoneOf('harvest-50000')!
  const facts = { ...NOBODY, harvested: cotton(4_089) }
  expect(progressOf(level, facts)).toEqual({ have: cotton(4_089), need: cotton(50_000) })
  expect(shareOf(level, facts)).toBe(0.0817)
  expect(shareOf(level, { ...NOBODY, harvested: cotton(60_000) })).toBe(1)
  const withoutLand = { ...NOBODY, landOf: { ...landOf, AN: 0 } }
  expect(shareOf(milestoneOf('AN-all')!, withoutLand)).toBe(0)
})
