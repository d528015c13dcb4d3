import { type Cotton, formatCotton } from '#game/cotton.ts'
import { priceToShow } from '#game/parcels.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import { landMessages } from '#web/messages/en-land.ts'
import { NUMBER_LOCALE } from '#web/messages/locale.ts'
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

const byName = new Intl.Collator(NUMBER_LOCALE, { numeric: true })

/** By name; the sectors of Antarctica by number. */
export function sortByName(parcels: readonly LandParcel[]): readonly LandParcel[] {
  return parcels.toSorted((one, other) => byName.compare(one.countryName, other.countryName))
}

/** The parcels whose name or id contains the text. Accents and case do not matter. */
export function searchLand(parcels: readonly LandParcel[], text: string): readonly LandParcel[] {
  const wanted = normalizeText(text)
  if (wanted === '') return parcels
  return parcels.filter(
    ({ countryName, parcelId }) =>
      normalizeText(countryName).includes(wanted) || normalizeText(parcelId).includes(wanted),
  )
}

/** A name as people type it: without accents, in lower case, with a straight apostrophe. */
export const normalizeText = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('’', "'").trim().toLowerCase()
