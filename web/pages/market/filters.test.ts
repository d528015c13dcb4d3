import { expect, test } from 'vitest'
import type { Listing } from '#web/land/use-listings.ts'
import { withFilters, filterListings, parseFilters, isFiltered, NO_FILTERS } from './filters.ts'

const listing = (parcelId: string, countryName: string, displayPrice: number, minute: number) =>
  ({
    id: `0199-${minute}`,
    parcelId,
    countryName,
    displayPrice,
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

test('each filter keeps what fits it, and all of them together what fits all', () => {
  expect(ids({})).toHaveLength(4)
  expect(ids({ continent: 'EU' })).toEqual(['EU-PL', 'EU-FR'])
  expect(ids({ type: 'parcel' })).toEqual(['AN-07'])
  expect(ids({ type: 'country', continent: 'AN' })).toEqual([])
  expect(ids({ search: ' curacao ' })).toEqual(['NA-CW'])
  expect(ids({ search: 'eu-p' })).toEqual(['EU-PL'])
  expect(ids({ search: 'o', continent: 'NA' })).toEqual(['NA-CW'])
})

test('every order is total: what one price leaves open, the newer listing wins', () => {
  expect(ids({ sort: 'newest' })).toEqual(['EU-PL', 'AN-07', 'NA-CW', 'EU-FR'])
  expect(ids({ sort: 'oldest' })).toEqual(['EU-FR', 'NA-CW', 'AN-07', 'EU-PL'])
  expect(ids({ sort: 'priceAsc' })).toEqual(['NA-CW', 'EU-PL', 'AN-07', 'EU-FR'])
  expect(ids({ sort: 'priceDesc' })).toEqual(['EU-FR', 'EU-PL', 'AN-07', 'NA-CW'])
})

test('an address keeps the filters, forgets the usual ones, and shrugs at nonsense', () => {
  const address = new URLSearchParams('tab=mine')
  const filters = { continent: 'OC', type: 'country', sort: 'priceAsc', search: 'new' } as const
  const kept = withFilters(address, filters)
  expect(kept.toString()).toBe('tab=mine&continent=OC&type=country&sort=priceAsc&search=new')
  expect(parseFilters(kept)).toEqual(filters)
  expect(withFilters(kept, NO_FILTERS).toString()).toBe('tab=mine')
  expect(parseFilters(new URLSearchParams('continent=XX&type=9&sort=constructor'))).toEqual(NO_FILTERS)
})

test('an order alone filters nothing out', () => {
  expect(isFiltered({ ...NO_FILTERS, sort: 'oldest', search: ' ' })).toBe(false)
  expect(isFiltered({ ...NO_FILTERS, search: 'a' })).toBe(true)
})
