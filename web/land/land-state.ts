import { cotton, type Cotton, formatCotton, toWire } from '#game/cotton.ts'
import { priceToShow } from '#game/parcels.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import { landMessages } from '#web/messages/en-land.ts'
import { NUMBER_LOCALE } from '#web/messages/locale.ts'

export type LandState = 'available' | 'owned' | 'mine'

export function landState(parcel: LandParcel, wallet: string | null): LandState {
  if (!parcel.owned) return 'available'
  return wallet !== null && parcel.ownerWallet === wallet ? 'mine' : 'owned'
}

/** A price of the wire, which is whole $COTTON. */
export const wholeCotton = (amount: number): Cotton => cotton(Math.floor(amount))

/** What the details of a parcel call its price. */
export function priceOf(parcel: LandParcel, continentPrice: number | undefined): number {
  const { tier, area, basePrice } = parcel
  return toWire(
    priceToShow({
      currentPrice: continentPrice === undefined ? null : wholeCotton(continentPrice),
      basePrice: basePrice === undefined ? null : wholeCotton(basePrice),
      tier,
      area,
    }),
  )
}

/** `France, tier 1, available, 102,000 tokens`: what a screen reader says of land, on the map and on its card. */
export function describeLand(parcel: LandParcel, state: LandState, price: number): string {
  return landMessages.spoken(
    parcel.countryName,
    parcel.tier,
    landMessages.states[state],
    state === 'available' ? formatCotton(price) : null,
  )
}

/** The code of a parcel’s continent, with which its id begins. */
export const continentOf = (parcelId: string): string => parcelId.slice(0, 2)

const byName = new Intl.Collator(NUMBER_LOCALE, { numeric: true })

/** In the order of names; the sectors of Antarctica in that of their numbers. */
export function sortByName(parcels: readonly LandParcel[]): readonly LandParcel[] {
  return parcels.toSorted((one, other) => byName.compare(one.countryName, other.countryName))
}

/** The parcels whose name, code or id contains the words, whatever their accents and case. */
export function searchLand(parcels: readonly LandParcel[], text: string): readonly LandParcel[] {
  const wanted = normalizeText(text)
  if (wanted === '') return parcels
  return parcels.filter(
    ({ countryName, parcelId }) =>
      normalizeText(countryName).includes(wanted) || normalizeText(parcelId).includes(wanted),
  )
}

/** A name as one may type it: without accents, in small letters, with the apostrophe of a keyboard. */
export const normalizeText = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('’', "'").trim().toLowerCase()
