import { WHOLE_BPS } from './basis-points.ts'
import type { ContinentCode } from './continents.ts'
import { type Cotton, cotton } from './cotton.ts'

export type Tier = 1 | 2 | 3

/** Land with its own country code is a `country`; a sector of Antarctica is a `parcel`. */
export type AssetType = 'country' | 'parcel'

/** The facts of a piece of land that never change (S-54). The server has its owner. */
export type Parcel = {
  /** `EU-FR` or `AN-01`: the continent first, because AF, AS, NA and SA are country codes too. */
  parcelId: string
  regionId: ContinentCode
  regionName: string
  countryCode: string
  countryName: string
  /** km² */
  area: number
  tier: Tier
  /** Information only: a sale charges the price of the continent. */
  basePrice: Cotton
  assetType: AssetType
}

/**
 * The default price of the first parcel of each continent (design §9). The client shows it while the price call fails
 * (S-59).
 */
export const START_PRICE = cotton(100_000)

/** Base prices by tier (spec §9). */
export const TIER_BASE_PRICES: Readonly<Record<Tier, Cotton>> = {
  1: cotton(150_000),
  2: cotton(100_000),
  3: cotton(80_000),
}

/** How much a primary sale raises the price of its continent. Rules and texts take the number from here. */
export const PRICE_STEP_BPS = 200n

const RAISED_BPS = WHOLE_BPS + PRICE_STEP_BPS

const ONE = cotton(1)

const divideRounded = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor / 2n) / divisor

/**
 * The price of a continent after a primary sale at `price`: raised by the step, in whole $COTTON, halves rounded up
 * . A price below 25 stays the same.
 */
export function nextPrice(price: Cotton): Cotton {
  return cotton(divideRounded((price / ONE) * RAISED_BPS, WHOLE_BPS))
}

/** The price before the last sale, as the client computes it: round(current / 1.02) in whole $COTTON (S-33, A-08). */
export function previousPrice(current: Cotton): Cotton {
  return cotton(divideRounded((current / ONE) * WHOLE_BPS, RAISED_BPS))
}

/** The tier of the land at `rank` (1 is the largest) among the `n` ranked of its continent (design §9). */
export function tierOf(rank: number, n: number): Tier {
  if (rank <= Math.ceil((15 * n) / 100)) return 1
  return rank <= Math.ceil(n / 2) ? 2 : 3
}

/** The base price of a tier. For an unknown tier it is 1000 + 0.2 × km², rounded (S-59). */
export function basePriceOf(tier: Tier | undefined, area: number): Cotton {
  return tier ? TIER_BASE_PRICES[tier] : cotton(Math.round(1000 + 0.2 * area))
}

/** The price in the details of a parcel: that of the continent, else its base price, else `basePriceOf`. */
export function priceToShow(known: {
  currentPrice?: Cotton | null | undefined
  basePrice?: Cotton | null | undefined
  tier?: Tier | undefined
  area: number
}): Cotton {
  return known.currentPrice ?? known.basePrice ?? basePriceOf(known.tier, known.area)
}

/** The owned share of a continent in percent, rounded; 0 for a continent without land (spec §9). */
export function soldPercent({ owned, total }: { owned: number; total: number }): number {
  return total > 0 ? Math.round((100 * owned) / total) : 0
}

/** The sold bar shows `N% SOLD` only above this percentage (S-32). */
export const SOLD_LABEL_ABOVE_PERCENT = 15

/** The percentages above which the sold bar is orange and red. They depend on the source of the figure (spec §9). */
export const SOLD_BAR_THRESHOLDS = {
  api: { orangeAbovePercent: 70, redAbovePercent: 90 },
  socket: { orangeAbovePercent: 75, redAbovePercent: 90 },
} as const

/** The colour of the sold bar for a figure from the API or from the WebSocket. */
export function soldBarColour(
  percent: number,
  source: keyof typeof SOLD_BAR_THRESHOLDS,
): 'green' | 'orange' | 'red' {
  const thresholds = SOLD_BAR_THRESHOLDS[source]
  if (percent > thresholds.redAbovePercent) return 'red'
  return percent > thresholds.orangeAbovePercent ? 'orange' : 'green'
}

/** The code of a parcel's continent: its id starts with it. */
export const continentOf = (parcelId: string): string => parcelId.slice(0, 2)
