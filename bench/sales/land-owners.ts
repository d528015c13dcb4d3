import { cotton } from '#game/cotton.ts'
import { PARCELS } from '#game/world.ts'
import { listParcels } from '#server/market/list-parcels.ts'
import { createMarket } from '#server/market/market-mode.ts'
import { buyParcels } from '#server/parcels/buy-parcels.ts'
import { replyOf } from '#server/platform/answer.ts'
import { systemClock } from '#server/platform/clock.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { someBuyer } from './buyers.ts'

// Low compared with the credit of the buyers, because every sale costs a tenth in fees.
const PRICE = cotton(1_000)

/** The most parcels of one continent: the price grows with each of them. */
const MAX_EACH = 300

/** The land that players own, alternating between the continents. */
const LAND: readonly string[] = [...Map.groupBy(PARCELS, (parcel) => parcel.regionId).values()]
  .flatMap((region) => region.slice(0, MAX_EACH).map(({ parcelId }, at) => ({ parcelId, at })))
  .toSorted((a, b) => a.at - b.at)
  .map(({ parcelId }) => parcelId)

export type Listed = { listingId: string; parcelId: string; seller: string }

const readOwners = sql({
  name: 'bench-owners',
  params: { land: 'text[]' },
  row: rowOf<{ parcel_id: string; wallet: string }>(),
  text: ({ land }) =>
    `select l.parcel_id, l.wallet from unnest(${land}) with ordinality as wanted (parcel_id, at)
     join land l using (parcel_id)
     where not exists (select from listings o where o.parcel_id = l.parcel_id and o.state = 'active') order by at`,
})

/** Random players buy all the land from the game. */
export async function buyAllLand(db: Db): Promise<void> {
  for (const region of Map.groupBy(LAND, (parcelId) => parcelId.slice(0, 2)).values()) {
    const requests = region.map((parcelId) => ({
      wallet: someBuyer().wallet,
      parcelId,
      expectedPrice: null,
      key: null,
    }))
    const answers = await db.transaction((tx) => buyParcels(tx, requests, systemClock))
    answers.forEach(replyOf)
  }
}

/** Every owner lists all parcels that are not on the market. */
export async function listAllLand(db: Db): Promise<Listed[]> {
  const owners = await db.rows(readOwners, { land: LAND })
  const requests = owners.map(({ parcel_id: parcelId, wallet }) => ({
    wallet,
    parcelId,
    price: PRICE,
    key: null,
  }))
  const deps = { clock: systemClock, market: createMarket('open') }
  const answers = await db.transaction((tx) => listParcels(tx, requests, deps))
  return answers.map((answer, at) => {
    const { wallet: seller, parcelId } = requests[at]!
    return { listingId: replyOf(answer).listing.id, parcelId, seller }
  })
}
