import type { ContinentCode } from '#game/continents.ts'
import { PARCELS } from '#game/world.ts'
import type { LandParcel } from './use-owned-land.ts'

/** How much of sample land is called owned, in percent. */
const OWNED_PERCENT = 35

/**
 * Land for a page that could not reach the server: the same every time, so that nothing jumps from try to try, and
 * labelled wherever it shows. Nobody owns it, and nobody can buy it.
 */
export function createSampleLand(code: ContinentCode): LandParcel[] {
  return PARCELS.filter((parcel) => parcel.regionId === code).map((parcel) => ({
    ...parcel,
    owned: hashText(parcel.parcelId) % 100 < OWNED_PERCENT,
    ownerWallet: null,
  }))
}

/** FNV-1a: a number that looks like chance and is the same for the same word. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash
}
