import { cotton } from '#game/cotton.ts'
import { PARCELS } from '#game/world.ts'
import { listParcels } from '#server/market/list-parcels.ts'
import { createMarket } from '#server/market/market-mode.ts'
import { buyParcels } from '#server/parcels/buy-parcels.ts'
import { replyOf } from '#server/platform/answer.ts'
import { systemClock } from '#server/platform/clock.ts'
import { type Db, sql } from '#server/platform/db/db.ts'
import { seedBuyers, type Wish, wishFor } from '../parcels/buyers.ts'

// What every parcel is offered for: a tenth is gone with each sale, so it is little beside the buyers' credit.
const PRICE = cotton(1_000)

/** How many parcels of a continent are sold: those of the world, or of a wider one what players can pay for. */
const MOST = 300

/** The land that is sold, one parcel of each continent after the other. */
export const LAND: readonly string[] = [...Map.groupBy(PARCELS, (parcel) => parcel.regionId).values()]
  .flatMap((lot) => lot.slice(0, MOST).map(({ parcelId }, at) => ({ parcelId, at })))
  .toSorted((a, b) => a.at - b.at)
  .map(({ parcelId }) => parcelId)

/** A parcel on the market, and the one who wants it: never its owner. */
export type Offered = { listingId: string; seller: string; wish: Wish }

const readOwners = sql(
  'bench-owners',
  `select l.parcel_id, l.wallet from unnest($1::text[]) with ordinality as wanted (parcel_id, at)
   join land l using (parcel_id)
   where not exists (select from listings o where o.parcel_id = l.parcel_id and o.state = 'active') order by at`,
)

/** Players with credit who will own all the land there is. */
export const seedTraders = seedBuyers

/** Lets players buy the land from the game, at its price of that moment. */
export async function buyAllLand(db: Db): Promise<void> {
  for (const lot of Map.groupBy(LAND, (parcelId) => parcelId.slice(0, 2)).values()) {
    const asked = lot.map((parcelId) => ({ ...wishFor(parcelId), expectedPrice: null, key: null }))
    const answers = await db.transaction((tx) => buyParcels(tx, asked, systemClock))
    answers.forEach(replyOf)
  }
}

/** Puts land that is not on the market there, each parcel by its owner: all of it, or what is named. */
export async function offerLand(db: Db, wanted = LAND): Promise<Offered[]> {
  const owners = await db.rows<{ parcel_id: string; wallet: string }>(readOwners, [wanted])
  const asked = owners.map(({ parcel_id: parcelId, wallet }) => ({
    wallet,
    parcelId,
    price: PRICE,
    key: null,
  }))
  const deps = { clock: systemClock, market: createMarket('open') }
  const answers = await db.transaction((tx) => listParcels(tx, asked, deps))
  return answers.map((answer, at) => {
    const { wallet: seller, parcelId } = asked[at]!
    let wish = wishFor(parcelId)
    while (wish.wallet === seller) wish = wishFor(parcelId)
    return { listingId: replyOf(answer).listing.id, seller, wish }
  })
}
