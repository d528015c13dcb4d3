import { expect, test } from 'vitest'
import { CONTINENTS } from '#game/continents.ts'
import { cotton } from '#game/cotton.ts'
import { createSampleLand } from '#web/api/create-sample-land.ts'
import { sortByName, landState, priceOf, searchLand, describeLand } from './land-state.ts'

const europe = createSampleLand('EU')
const named = (name: string) => europe.find((parcel) => parcel.countryName === name)!
const free = { ...named('France'), owned: false, ownerWallet: null }

test('a parcel is mine only with my own wallet', () => {
  expect(landState(free, null)).toBe('available')
  expect(landState({ ...free, owned: true, ownerWallet: 'ana' }, 'ana')).toBe('mine')
  expect(landState({ ...free, owned: true, ownerWallet: 'ana' }, 'bob')).toBe('owned')
  expect(landState({ ...free, owned: true, ownerWallet: null }, null)).toBe('owned')
})

test('the accessible name states name, tier, owner and the price that is asked', () => {
  expect(describeLand(free, 'available', cotton(102_000))).toBe('France, tier 1, available, 102,000 tokens')
  expect(describeLand(free, 'owned', null)).toBe('France, tier 1, owned')
  const sold = { ...free, ownerWallet: 'AnuUpBwoUUwGmybDWXYqiwkNRptHGtVnQGaG2mFEzta9' }
  expect(describeLand(sold, 'owned', cotton(90_000))).toBe(
    'France, tier 1, owned by AnuUpB…zta9, for sale at 90,000 tokens',
  )
  expect(describeLand(sold, 'mine', null)).toBe('France, tier 1, yours')
})

test('details show the continent’s price, else the base price of the tier (S-59)', () => {
  expect(priceOf(free, cotton(104_040))).toBe(cotton(104_040))
  expect(priceOf(free, undefined)).toBe(cotton(150_000))
})

test('a parcel without a base price has that of its tier, and without a tier that of its area (S-59)', () => {
  const bare = { ...free, basePrice: null }
  expect(priceOf(bare, cotton(104_040))).toBe(cotton(104_040))
  expect(([1, 2, 3] as const).map((tier) => priceOf({ ...bare, tier }, undefined))).toEqual(
    [150_000, 100_000, 80_000].map(cotton),
  )
  expect(priceOf({ ...bare, tier: undefined, area: 1_234 }, undefined)).toBe(cotton(1_247))
})

test('a search finds names and codes regardless of accents and case', () => {
  expect(searchLand(europe, ' FRANCE ').map((parcel) => parcel.parcelId)).toEqual(['EU-FR'])
  expect(searchLand(europe, 'eu-pl').map((parcel) => parcel.countryName)).toEqual(['Poland'])
  expect(searchLand(europe, '')).toBe(europe)
  const curacao = { ...free, countryName: 'Curaçao' }
  expect(searchLand([curacao], 'curacao')).toEqual([curacao])
})

test.each([
  "cote d'ivoire",
  'Côte d’Ivoire',
  'COTE D´IVOIRE',
  'cote d`iv',
  'cote d‘ivoire',
  'Côte dÍvoire',
  'cote divoire',
])('a search finds a name with an apostrophe, whichever a keyboard types: %s', (text) => {
  const ivoryCoast = { ...free, countryName: 'Côte d’Ivoire' }
  expect(searchLand([ivoryCoast], text)).toEqual([ivoryCoast])
})

test('cards are sorted by name, sectors by number', () => {
  const names = sortByName(createSampleLand('AN')).map((parcel) => parcel.countryName)
  expect(names.slice(8, 11)).toEqual([
    'Antarctica, sector 9',
    'Antarctica, sector 10',
    'Antarctica, sector 11',
  ])
})

test('names are in the order of a dictionary', () => {
  const { compare } = new Intl.Collator('en-US', { numeric: true })
  const land = CONTINENTS.flatMap(createSampleLand)
  const names = land.map((parcel) => parcel.countryName)
  expect(sortByName(land).map((parcel) => parcel.countryName)).toEqual(names.toSorted(compare))
})

test('sample land is always the same, has no owner, and has every state (A-11)', () => {
  for (const code of CONTINENTS) {
    const sample = createSampleLand(code)
    expect(sample).toEqual(createSampleLand(code))
    expect(sample.every((parcel) => parcel.ownerWallet === null && parcel.regionId === code)).toBe(true)
    expect(new Set(sample.map((parcel) => parcel.owned)).size).toBe(2)
  }
})
