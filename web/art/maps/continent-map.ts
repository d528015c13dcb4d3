import type { ContinentCode } from '#game/continents.ts'

/** A position on the map. */
export type Point = readonly [x: number, y: number]

export type MapParcel = {
  parcelId: string
  /** The outline on the map; null where the source has none, or one too small to see: then there is only the pin. */
  d: string | null
  /** Where a label, a flag or the pin stands: well inside the land, for small land beside its neighbours' pins. */
  pin: Point
  /** Too small to be hit on the map: it is shown by a pin of 8 units' radius. */
  small: boolean
  /** The land lies beyond the frame, and its pin on the edge. */
  beyond?: true
  /** The outline on a card, in a box of 100 × 76; null where the source has none: the card shows the flag, large. */
  shape: string | null
}

/** The outlines of the land of one continent. `d` of several parcels may be joined into one path. */
export type ContinentMap = {
  code: ContinentCode
  viewBox: readonly [x: number, y: number, width: number, height: number]
  /** The land of other continents in sight; '' for none. */
  context: string
  /** The largest land first; the sectors of Antarctica before its islands. */
  parcels: readonly MapParcel[]
}

/** The world with one silhouette per continent, and where each one's signpost stands. */
export type WorldMap = {
  viewBox: readonly [x: number, y: number, width: number, height: number]
  continents: Readonly<Record<ContinentCode, { d: string; sign: Point }>>
}
