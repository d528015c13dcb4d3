import { CONTINENTS, type ContinentCode, isContinentCode } from '#game/continents.ts'
import type { Listing } from '#web/land/use-listings.ts'
import { normalizeText } from '#web/land/land-state.ts'

export const TYPES = ['all', 'country', 'parcel'] as const
export const SORTS = ['newest', 'oldest', 'priceAsc', 'priceDesc'] as const
export const CONTINENT_CHOICES = ['all', ...CONTINENTS] as const

export type Filters = {
  continent: ContinentCode | 'all'
  type: (typeof TYPES)[number]
  sort: (typeof SORTS)[number]
  /** Part of a name, or of a parcel's id. */
  search: string
}

export const NO_FILTERS: Filters = { continent: 'all', type: 'all', sort: 'newest', search: '' }

/** The longest search text in an address. */
const MAX_SEARCH_LENGTH = 60

/** The filters in an address. Unknown values are ignored. */
export function parseFilters(address: URLSearchParams): Filters {
  const continent = address.get('continent') ?? ''
  return {
    continent: isContinentCode(continent) ? continent : 'all',
    type: TYPES.find((type) => type === address.get('type')) ?? 'all',
    sort: SORTS.find((sort) => sort === address.get('sort')) ?? 'newest',
    search: (address.get('search') ?? '').slice(0, MAX_SEARCH_LENGTH),
  }
}

/** The address with these filters. Default values are left out, and other parameters stay. */
export function withFilters(address: URLSearchParams, filters: Filters): URLSearchParams {
  const next = new URLSearchParams(address)
  for (const [name, value] of Object.entries(filters)) {
    if (value === NO_FILTERS[name as keyof Filters]) next.delete(name)
    else next.set(name, value)
  }
  return next
}

export const isFiltered = ({ continent, type, search }: Filters): boolean =>
  continent !== 'all' || type !== 'all' || search.trim() !== ''

/** Listings of one instant are ordered by id: version 7 ids grow with time. */
const byAge = (a: Listing, b: Listing): number =>
  Date.parse(a.listedDate) - Date.parse(b.listedDate) || (a.id < b.id ? -1 : 1)

const byPrice = (a: Listing, b: Listing): number => Number((a.displayPrice ?? 0n) - (b.displayPrice ?? 0n))

const ORDERS: Readonly<Record<Filters['sort'], (a: Listing, b: Listing) => number>> = {
  newest: (a, b) => byAge(b, a),
  oldest: byAge,
  priceAsc: (a, b) => byPrice(a, b) || byAge(b, a),
  priceDesc: (a, b) => byPrice(b, a) || byAge(b, a),
}

/** The listings that match the filters, sorted. */
export function filterListings(listings: readonly Listing[], filters: Filters): readonly Listing[] {
  const { continent, type, sort } = filters
  const wanted = normalizeText(filters.search)
  return listings
    .filter((listing) => continent === 'all' || listing.continentCode === continent)
    .filter((listing) => type === 'all' || listing.assetType === type)
    .filter(({ countryName, parcelId }) => normalizeText(`${countryName} ${parcelId}`).includes(wanted))
    .toSorted(ORDERS[sort])
}
