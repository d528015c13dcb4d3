import { CONTINENT_NAMES, type ContinentCode, CONTINENTS, isContinentCode } from './continents.ts'
import { type Cotton, cotton } from './cotton.ts'
import { LAND_TABLE } from './land-table.ts'
import { basePriceOf, type Parcel, START_PRICE, type Tier, tierOf } from './parcels.ts'

/** Antarctica has no country and is divided into equal sectors (design §9, A-05). */
const ANTARCTICA = 'AQ'

const SECTORS = 12

type Land = (typeof LAND_TABLE)[number]

/** The parcels that this operator offers, and the price of each continent's first parcel. */
export type World = {
  parcels: readonly Parcel[]
  startPrices: Readonly<Record<ContinentCode, Cotton>>
}

/** The operator's choices. Prices are whole $COTTON by continent code. */
export type WorldOptions = {
  /** Country codes (`FR`; `AQ` means all sectors) and parcel ids (`EU-FR`, `AN-03`). */
  exclude?: readonly string[]
  startPrices?: Readonly<Record<string, number>>
}

/** After 58 sales a price that starts here is still within the limit of a request. */
export const HIGHEST_START_PRICE = 1_000_000_000

/** All 261 parcels: by continent, the largest land first, the sectors of Antarctica before its islands (design §9). */
export const PARCELS: readonly Parcel[] = CONTINENTS.flatMap((region) => {
  const ranked = LAND_TABLE.filter(([code, of]) => of === region && code !== ANTARCTICA)
  const countries = ranked.map((land, at) => country(land, tierOf(at + 1, ranked.length)))
  return region === 'AN' ? [...sectors(), ...countries] : countries
})

const byId = new Map(PARCELS.map((parcel) => [parcel.parcelId, parcel]))

/** The parcel with this id, or undefined. */
export function parcelOf(parcelId: string): Parcel | undefined {
  return byId.get(parcelId)
}

/**
 * The world by the operator's choices, or one sentence that describes a problem with them.
 * Tiers are those of the whole world, so that excluding one parcel changes no other.
 */
export function buildWorld({ exclude = [], startPrices = {} }: WorldOptions): World | { problem: string } {
  const unknown = exclude.find((word) => !PARCELS.some((parcel) => isNamed(parcel, word)))
  if (unknown !== undefined)
    return { problem: `exclude names ${JSON.stringify(unknown)}, which is no land of the world` }
  const parcels = PARCELS.filter((parcel) => !exclude.some((word) => isNamed(parcel, word)))
  if (parcels.length === 0) return { problem: 'exclude leaves no land to sell' }

  const prices = Object.fromEntries(CONTINENTS.map((region) => [region, START_PRICE])) as Record<
    ContinentCode,
    Cotton
  >
  for (const [region, price] of Object.entries(startPrices)) {
    if (!isContinentCode(region)) {
      return {
        problem: `startPrices names ${JSON.stringify(region)}, which is none of ${CONTINENTS.join(', ')}`,
      }
    }
    if (!Number.isInteger(price) || price < 1 || price > HIGHEST_START_PRICE) {
      return { problem: `startPrices.${region} must be whole $COTTON from 1 to ${HIGHEST_START_PRICE}` }
    }
    prices[region] = cotton(price)
  }
  return { parcels, startPrices: prices }
}

const isNamed = (parcel: Parcel, word: string): boolean =>
  word === parcel.parcelId || word === parcel.countryCode

function country([countryCode, regionId, countryName, area]: Land, tier: Tier): Parcel {
  return {
    parcelId: `${regionId}-${countryCode}`,
    regionId,
    regionName: CONTINENT_NAMES[regionId],
    countryCode,
    countryName,
    area,
    tier,
    basePrice: basePriceOf(tier, area),
    assetType: 'country',
  }
}

function sectors(): Parcel[] {
  const whole = LAND_TABLE.find(([code]) => code === ANTARCTICA)
  if (!whole) return []
  const [, regionId, name, wholeArea] = whole
  const area = Math.floor(wholeArea / SECTORS)
  return Array.from({ length: SECTORS }, (_, at) => ({
    parcelId: `${regionId}-${String(at + 1).padStart(2, '0')}`,
    regionId,
    regionName: CONTINENT_NAMES[regionId],
    countryCode: ANTARCTICA,
    countryName: `${name}, sector ${at + 1}`,
    area,
    tier: 2,
    basePrice: basePriceOf(2, area),
    assetType: 'parcel',
  }))
}
