import type { ContinentCode } from '#game/continents.ts'
import { PARCELS } from '#game/world.ts'
import type { LandParcel } from './use-owned-land.ts'

/** The share of sample land that is marked as owned, in percent. */
const OWNED_PERCENT = 35

/**
 * Land for a page that could not reach the server. It is the same on every attempt, so that nothing jumps, and labelled
 * wherever it is shown. It has no owner and cannot be bought.
 */
export function createSampleLand(code: ContinentCode): LandParcel[] {
  return PARCELS.filter((parcel) => parcel.regionId === code).map((parcel) => ({
    ...parcel,
    owned: hashText(parcel.parcelId) % 100 < OWNED_PERCENT,
    ownerWallet: null,
  }))
}

/** FNV-1a: a pseudo-random number that is the same for the same text. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash
}
