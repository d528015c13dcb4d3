import type { ContinentCode } from './continents.ts'
import { type Cotton, cotton } from './cotton.ts'

export type Tier = 1 | 2 | 3

/** Land with a code of its own is a `country`; a sector of Antarctica is a `parcel`. */
export type AssetType = 'country' | 'parcel'

/** What never changes about a piece of land (S-54). Who owns it is the server's to say. */
export type Parcel = {
  /** `EU-FR` or `AN-01`: the continent first, because AF, AS, NA and SA are countries as well. */
  parcelId: string
  regionId: ContinentCode
  regionName: string
  countryCode: string
  countryName: string
  /** km² */
  area: number
  tier: Tier
  /** Information only: what a sale charges is the price of the continent. */
  basePrice: Cotton
  assetType: AssetType
}

/**
 * What the first parcel of every continent costs, unless the operator says otherwise (design §9), and what the client
 * shows while the price call fails (S-59).
 */
export const START_PRICE = cotton(100_000)

/** Base prices by tier (spec §9). */
export const TIER_BASE_PRICES: Readonly<Record<Tier, Cotton>> = {
  1: cotton(150_000),
  2: cotton(100_000),
  3: cotton(80_000),
}

const ONE = cotton(1)

/**
 * The price of a continent after a primary sale at `price`: two percent more, in whole $COTTON, halves rounded up;
 * with P whole $COTTON that is (P × 102 + 50) / 100 in integers. Prices below 25 stand still.
 */
export function nextPrice(price: Cotton): Cotton {
  return cotton(((price / ONE) * 102n + 50n) / 100n)
}

/** The price before the last sale, as the client computes it: round(current / 1.02) in whole $COTTON (S-33, A-08). */
export function previousPrice(current: Cotton): Cotton {
  return cotton(((current / ONE) * 100n + 51n) / 102n)
}

/** The tier of the land at `rank` (1 is the largest) among the `n` ranked of its continent (design §9). */
export function tierOf(rank: number, n: number): Tier {
  if (rank <= Math.ceil((15 * n) / 100)) return 1
  return rank <= Math.ceil(n / 2) ? 2 : 3
}

/** The base price of a tier; where the tier is not known either, 1000 + 0.2 × km², rounded (S-59). */
export function basePriceOf(tier: Tier | undefined, area: number): Cotton {
  return tier ? TIER_BASE_PRICES[tier] : cotton(Math.round(1000 + 0.2 * area))
}

/** The price that the details of a parcel show: of the continent, else its base, else what `basePriceOf` says. */
export function priceToShow(known: {
  currentPrice?: Cotton | null | undefined
  basePrice?: Cotton | null | undefined
  tier?: Tier | undefined
  area: number
}): Cotton {
  return known.currentPrice ?? known.basePrice ?? basePriceOf(known.tier, known.area)
}

/** How much of a continent is owned, in percent, rounded; a continent without land is not sold at all (spec §9). */
export function soldPercent({ owned, total }: { owned: number; total: number }): number {
  return total > 0 ? Math.round((100 * owned) / total) : 0
}

/** The sold bar says `N% SOLD` only above this many percent (S-32). */
export const SOLD_LABEL_ABOVE_PERCENT = 15

/** Above how many percent the sold bar turns orange and red: it depends on where its figure came from (spec §9). */
export const SOLD_BAR_THRESHOLDS = {
  api: { orangeAbovePercent: 70, redAbovePercent: 90 },
  socket: { orangeAbovePercent: 75, redAbovePercent: 90 },
} as const

/** The colour of the sold bar for a figure of the API or of the socket. */
export function soldBarColour(
  percent: number,
  source: keyof typeof SOLD_BAR_THRESHOLDS,
): 'green' | 'orange' | 'red' {
  const thresholds = SOLD_BAR_THRESHOLDS[source]
  if (percent > thresholds.redAbovePercent) return 'red'
  return percent > thresholds.orangeAbovePercent ? 'orange' : 'green'
}
