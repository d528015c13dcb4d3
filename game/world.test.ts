import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { percentOf } from './basis-points.ts'
import { CONTINENT_NAMES, CONTINENTS, type ContinentCode, isContinentCode } from './continents.ts'
import { cotton } from './cotton.ts'
import { type Parcel, TIER_BASE_PRICES } from './parcels.ts'
import { HIGHEST_START_PRICE, PARCELS, parcelOf, type World, buildWorld } from './world.ts'

const of = (region: ContinentCode): Parcel[] => PARCELS.filter((parcel) => parcel.regionId === region)

const byId = (id: string): Parcel | undefined => PARCELS.find((parcel) => parcel.parcelId === id)

/** The table of areas as it lies in the project, read here by other means than the script that builds the world. */
const areas = readFileSync(join(import.meta.dirname, '../data/land-areas.csv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => ({ code: line.slice(0, 2), region: line.slice(3, 5), area: Number(line.split(',').at(-1)) }))

function offered(choice: Parameters<typeof buildWorld>[0]): World {
  const world = buildWorld(choice)
  if ('problem' in world) throw new Error(world.problem)
  return world
}

test('the world has 261 parcels on seven continents', () => {
  const counts = Object.fromEntries(CONTINENTS.map((region) => [region, of(region).length]))
  expect(counts).toEqual({ NA: 41, SA: 14, EU: 52, AS: 53, AF: 58, OC: 27, AN: 16 })
  expect(PARCELS).toHaveLength(261)
})

test('parcel ids are unique and start with their continent (A-18)', () => {
  expect(new Set(PARCELS.map((parcel) => parcel.parcelId)).size).toBe(261)
  for (const { parcelId, regionId } of PARCELS)
    expect(parcelId).toMatch(new RegExp(`^${regionId}-([A-Z]{2}|\\d\\d)$`))
})

test('every row of the area table is a country with that area, except Antarctica', () => {
  expect(areas).toHaveLength(250)
  const countries = PARCELS.filter((parcel) => parcel.assetType === 'country')
  expect(countries).toHaveLength(249)
  for (const { code, region, area } of areas) {
    expect(byId(`${region}-${code}`)?.area, code).toBe(code === 'AQ' ? undefined : area)
  }
  expect(PARCELS.every((parcel) => parcel.area > 0 && parcel.countryName.length > 2)).toBe(true)
})

test('Antarctica is twelve equal sectors, and its four islands are countries (A-05)', () => {
  const sectors = of('AN').filter((parcel) => parcel.assetType === 'parcel')
  expect(sectors.map((sector) => sector.parcelId)).toEqual(
    Array.from({ length: 12 }, (_, at) => `AN-${String(at + 1).padStart(2, '0')}`),
  )
  for (const sector of sectors) expect(sector).toMatchObject({ countryCode: 'AQ', area: 1_183_333, tier: 2 })
  const islands = of('AN').filter((parcel) => parcel.assetType === 'country')
  expect(islands.map(({ countryCode, tier }) => `${countryCode} ${tier}`)).toEqual([
    'TF 1',
    'GS 2',
    'HM 3',
    'BV 3',
  ])
})

test('tiers follow the rank by area within the continent, and base prices follow the tiers', () => {
  for (const region of CONTINENTS) {
    const ranked = of(region).filter((parcel) => parcel.assetType === 'country')
    for (const parcel of ranked) {
      const rank = 1 + ranked.filter((other) => other.area > parcel.area).length
      const within = (part: number): boolean => rank <= Math.ceil(part * ranked.length)
      expect(parcel.tier, parcel.parcelId).toBe(within(0.15) ? 1 : within(0.5) ? 2 : 3)
    }
  }
  for (const parcel of PARCELS) expect(parcel.basePrice).toBe(TIER_BASE_PRICES[parcel.tier])
})

test('a country with the code of a continent is not confused with it (A-18)', () => {
  expect(byId('AF-NA')?.countryName).toBe('Namibia')
  expect(byId('AS-AF')?.countryName).toBe('Afghanistan')
  expect(byId('OC-AS')?.countryName).toBe('American Samoa')
  expect(byId('AS-SA')?.countryName).toBe('Saudi Arabia')
})

test('by default the whole world is offered and every continent starts at 100,000', () => {
  const world = offered({})
  expect(world.parcels).toEqual(PARCELS)
  expect(Object.entries(world.startPrices)).toEqual(CONTINENTS.map((region) => [region, cotton(100_000)]))
})

test('an operator excludes land by code or by id, and no other land changes', () => {
  const { parcels } = offered({ exclude: ['FR', 'AS-AF', 'AN-03'] })
  expect(PARCELS.filter((parcel) => !parcels.includes(parcel)).map((parcel) => parcel.parcelId)).toEqual([
    'EU-FR',
    'AS-AF',
    'AN-03',
  ])
  expect(offered({ exclude: ['AQ'] }).parcels.filter((parcel) => parcel.regionId === 'AN')).toHaveLength(4)
})

test('an operator sets the start price of a continent', () => {
  const { startPrices } = offered({ startPrices: { EU: 250_000, AN: 1 } })
  expect(startPrices).toMatchObject({ EU: cotton(250_000), AN: cotton(1), NA: cotton(100_000) })
})

test('an invalid choice is described in one sentence that names it', () => {
  const wrong = [
    [{ exclude: ['XX'] }, '"XX"'],
    [{ exclude: ['fr'] }, '"fr"'],
    [{ exclude: ['EU'] }, '"EU"'],
    [{ exclude: ['AN-13'] }, '"AN-13"'],
    [{ exclude: PARCELS.map((parcel) => parcel.parcelId) }, 'no land'],
    [{ startPrices: { FR: 5 } }, '"FR"'],
    [{ startPrices: { EU: 0 } }, 'startPrices.EU'],
    [{ startPrices: { EU: 1.5 } }, 'startPrices.EU'],
    [{ startPrices: { EU: HIGHEST_START_PRICE + 1 } }, 'startPrices.EU'],
    [{ startPrices: { EU: NaN } }, 'startPrices.EU'],
    [{ startPrices: { FR: 5 } }, 'NA, SA, EU, AS, AF, OC, AN'],
  ] as const
  for (const [choice, named] of wrong) {
    const world = buildWorld(choice)
    expect('problem' in world ? world.problem : 'accepted').toContain(named)
  }
})

test('the highest start price is accepted', () => {
  expect(offered({ startPrices: { EU: HIGHEST_START_PRICE } }).startPrices.EU).toBe(
    cotton(HIGHEST_START_PRICE),
  )
})

test('a parcel is found by its id, and has the name of its continent and of its country', () => {
  expect(PARCELS.map(({ parcelId }) => parcelOf(parcelId))).toEqual(PARCELS)
  expect(parcelOf('EU-XX')).toBeUndefined()
  expect(parcelOf('EU-FR')).toMatchObject({ regionName: 'Europe', countryName: 'France', countryCode: 'FR' })
  expect(parcelOf('AN-02')).toMatchObject({ regionName: 'Antarctica', countryName: 'Antarctica, sector 2' })
})

test('the continents have their names, and no other word is the code of one', () => {
  expect(CONTINENTS.map((code) => CONTINENT_NAMES[code])).toEqual([
    'North America',
    'South America',
    'Europe',
    'Asia',
    'Africa',
    'Oceania',
    'Antarctica',
  ])
  expect([...CONTINENTS, 'eu', 'XX', ''].filter(isContinentCode)).toEqual(CONTINENTS)
})

test('250 basis points are 2.5 percent', () => {
  expect(percentOf(250n)).toBe(2.5)
})
