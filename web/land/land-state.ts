import { cotton, type Cotton, shown, toWire } from '#game/cotton.ts'
import { priceToShow } from '#game/parcels.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import { landWords } from '#web/messages/en-land.ts'
import { NUMBERS } from '#web/messages/locale.ts'

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
export function spokenLand(parcel: LandParcel, state: LandState, price: number): string {
  return landWords.spoken(
    parcel.countryName,
    parcel.tier,
    landWords.states[state],
    state === 'available' ? shown(price) : null,
  )
}

/** The code of a parcel’s continent, with which its id begins. */
export const continentOf = (parcelId: string): string => parcelId.slice(0, 2)

const byName = new Intl.Collator(NUMBERS, { numeric: true })

/** In the order of names; the sectors of Antarctica in that of their numbers. */
export function inNameOrder(parcels: readonly LandParcel[]): readonly LandParcel[] {
  return parcels.toSorted((one, other) => byName.compare(one.countryName, other.countryName))
}

/** The parcels whose name, code or id contains the words, whatever their accents and case. */
export function searchLand(parcels: readonly LandParcel[], text: string): readonly LandParcel[] {
  const wanted = plain(text)
  if (wanted === '') return parcels
  return parcels.filter(
    ({ countryName, parcelId }) => plain(countryName).includes(wanted) || plain(parcelId).includes(wanted),
  )
}

/** A name as one may type it: without accents, in small letters, with the apostrophe of a keyboard. */
export const plain = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('’', "'").trim().toLowerCase()
