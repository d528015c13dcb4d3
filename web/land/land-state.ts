import { type Cotton, formatCotton } from '#game/cotton.ts'
import { priceToShow } from '#game/parcels.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import { landMessages } from '#web/messages/en-land.ts'
import { shortAddress } from '#web/ui/short-address.ts'

export type LandState = 'available' | 'owned' | 'mine'

export function landState(parcel: LandParcel, wallet: string | null): LandState {
  if (!parcel.owned) return 'available'
  return wallet !== null && parcel.ownerWallet === wallet ? 'mine' : 'owned'
}

/** The price in the details of a parcel. */
export function priceOf(parcel: LandParcel, continentPrice: Cotton | undefined): Cotton {
  const { tier, area, basePrice } = parcel
  return priceToShow({ currentPrice: continentPrice, basePrice, tier, area })
}

/** `France, tier 1, available, 102,000 tokens`: the accessible name of a parcel on the map. */
export function describeLand(parcel: LandParcel, state: LandState, price: Cotton | null): string {
  const { countryName, tier, ownerWallet } = parcel
  return landMessages.spoken({
    name: countryName,
    tier,
    state: landMessages.states[state],
    owner: state === 'owned' && ownerWallet ? shortAddress(ownerWallet) : null,
    price: price === null ? null : formatCotton(price),
    forSale: state !== 'available',
  })
}

/** By name; the sectors of Antarctica by number. The same order as `Intl.Collator`, which is slow to load. */
export function sortByName(parcels: readonly LandParcel[]): readonly LandParcel[] {
  return parcels
    .map((parcel) => ({ parcel, key: sortKey(parcel.countryName) }))
    .toSorted((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)))
    .map(({ parcel }) => parcel)
}

const sortKey = (name: string): string =>
  normalizeText(name).replaceAll(/\d+/g, (digits) => digits.padStart(4, '0'))

/** The parcels whose name or id contains the text. Accents and case do not matter. */
export function searchLand(parcels: readonly LandParcel[], text: string): readonly LandParcel[] {
  const wanted = normalizeText(text)
  if (wanted === '') return parcels
  return parcels.filter(
    ({ countryName, parcelId }) =>
      normalizeText(countryName).includes(wanted) || normalizeText(parcelId).includes(wanted),
  )
}

/** A name as people type it: without accents and apostrophes, in lower case. An accent key makes `dÍvoire` of d’Ivoire. */
export const normalizeText = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\p{M}'’‘ʼ´`]/gu, '')
    .trim()
    .toLowerCase()
