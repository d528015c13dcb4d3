import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Listing } from '#web/land/use-listings.ts'
import { withFilters, filterListings, parseFilters, isFiltered, NO_FILTERS } from './filters.ts'

const listing = (parcelId: string, countryName: string, price: number, minute: number) =>
  ({
    id: `0199-${minute}`,
    parcelId,
    countryName,
    displayPrice: cotton(price),
    continentCode: parcelId.slice(0, 2),
    assetType: parcelId.startsWith('AN') ? 'parcel' : 'country',
    listedDate: new Date(Date.UTC(2026, 0, 5, 12, minute)).toISOString(),
  }) as Listing

const ALL = [
  listing('EU-FR', 'France', 300, 1),
  listing('NA-CW', 'Curaçao', 100, 2),
  listing('AN-07', 'Antarctica, sector 7', 200, 3),
  listing('EU-PL', 'Poland', 200, 4),
]

const ids = (filters: Partial<typeof NO_FILTERS>) =>
  filterListings(ALL, { ...NO_FILTERS, ...filters }).map((each) => each.parcelId)

test('a listing is shown if it matches every filter (S-39)', () => {
  expect(ids({})).toHaveLength(4)
  expect(ids({ continent: 'EU' })).toEqual(['EU-PL', 'EU-FR'])
  expect(ids({ type: 'parcel' })).toEqual(['AN-07'])
  expect(ids({ type: 'country', continent: 'AN' })).toEqual([])
  expect(ids({ search: ' curacao ' })).toEqual(['NA-CW'])
  expect(ids({ search: 'eu-p' })).toEqual(['EU-PL'])
  expect(ids({ search: 'o', continent: 'NA' })).toEqual(['NA-CW'])
})

test('of two listings at one price the newer comes first (S-39)', () => {
  expect(ids({ sort: 'newest' })).toEqual(['EU-PL', 'AN-07', 'NA-CW', 'EU-FR'])
  expect(ids({ sort: 'oldest' })).toEqual(['EU-FR', 'NA-CW', 'AN-07', 'EU-PL'])
  expect(ids({ sort: 'priceAsc' })).toEqual(['NA-CW', 'EU-PL', 'AN-07', 'EU-FR'])
  expect(ids({ sort: 'priceDesc' })).toEqual(['EU-FR', 'EU-PL', 'AN-07', 'NA-CW'])
})

test('an address states the filters that are not default, and unknown values are ignored', () => {
  const address = new URLSearchParams('tab=mine')
  const filters = { continent: 'OC', type: 'country', sort: 'priceAsc', search: 'new' } as const
  const filtered = withFilters(address, filters)
  expect(filtered.toString()).toBe('tab=mine&continent=OC&type=country&sort=priceAsc&search=new')
  expect(parseFilters(filtered)).toEqual(filters)
  expect(withFilters(filtered, NO_FILTERS).toString()).toBe('tab=mine')
  expect(parseFilters(new URLSearchParams('continent=XX&type=9&sort=constructor'))).toEqual(NO_FILTERS)
})

test('a sort order is not a filter', () => {
  expect(isFiltered({ ...NO_FILTERS, sort: 'oldest', search: ' ' })).toBe(false)
  expect(isFiltered({ ...NO_FILTERS, search: 'a' })).toBe(true)
})
