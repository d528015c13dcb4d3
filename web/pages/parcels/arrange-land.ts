import type { Cotton } from '#game/cotton.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import { type LandState, searchLand, sortByName } from '#web/land/land-state.ts'

export const SHOWN = ['all', 'free', 'yours', 'sale'] as const
export const ORDERS = ['name', 'tier', 'price'] as const

export type Shown = (typeof SHOWN)[number]
export type Order = (typeof ORDERS)[number]

type Facts = {
  stateOf: (parcel: LandParcel) => LandState
  /** What the game or a seller asks; null for land that is not for sale. */
  priceOf: (parcel: LandParcel) => Cotton | null
}

/** Whether a parcel belongs to a choice: free land is sold by the game, land for sale by a player. */
export function isShown(parcel: LandParcel, shown: Shown, { stateOf, priceOf }: Facts): boolean {
  const state = stateOf(parcel)
  if (shown === 'free') return state === 'available'
  if (shown === 'yours') return state === 'mine'
  return shown === 'all' || (state !== 'available' && priceOf(parcel) !== null)
}

/** The parcels of a choice whose name contains the text. Parcels of one tier or price are in the order of their names. */
export function arrangeLand(
  parcels: readonly LandParcel[],
  { shown, order, text }: { shown: Shown; order: Order; text: string },
  facts: Facts,
): readonly LandParcel[] {
  const found = sortByName(searchLand(parcels, text)).filter((parcel) => isShown(parcel, shown, facts))
  if (order === 'tier') return found.toSorted((one, other) => (one.tier ?? 9) - (other.tier ?? 9))
  if (order === 'price') return found.toSorted((one, other) => comparePrices(facts, one, other))
  return found
}

/** The cheapest first; land that is not for sale comes last. */
function comparePrices({ priceOf }: Facts, one: LandParcel, other: LandParcel): number {
  const [a, b] = [priceOf(one), priceOf(other)]
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return Number(a - b)
}
