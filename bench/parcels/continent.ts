import type { ContinentCode } from '#game/continents.ts'
import { baseUnits } from '#game/cotton.ts'
import { nextPrice } from '#game/parcels.ts'
import { PARCELS } from '#game/world.ts'
import type { HotRow } from '../hot-row.ts'

/** The continent with the most parcels. */
export const REGION: ContinentCode = 'AF'

export const LAND = PARCELS.filter((parcel) => parcel.regionId === REGION).map((parcel) => parcel.parcelId)

/** A continent on which nobody buys. */
export const STILL_REGION: ContinentCode = 'OC'

/** Its row, and what a sale moves of such a row. */
export const PRICE_ROW: HotRow = {
  once: `update continents set price = (price / 1000000 * 102 + 50) / 100 * 1000000, version = version + 1, owned = owned + 1
    where code = '${STILL_REGION}'`,
  read: `select price, version, owned from continents where code = '${STILL_REGION}'`,
  write: `update continents set price = $1, version = $2, owned = $3 where code = '${STILL_REGION}'`,
  move: ([price, version, owned]) => [nextPrice(baseUnits(price!)), version! + 1n, owned! + 1n],
}
