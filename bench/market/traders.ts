import { cotton } from '#game/cotton.ts'
import { PARCELS } from '#game/world.ts'
import { listParcels } from '#server/market/list-parcels.ts'
import { marketIn } from '#server/market/market-mode.ts'
import { buyParcels } from '#server/parcels/buy-parcels.ts'
import { replyOf } from '#server/platform/answer.ts'
import { systemClock } from '#server/platform/clock.ts'
import { type Db, sql } from '#server/platform/db/db.ts'
import { seedBuyers, type Wish, wishFor } from '../parcels/buyers.ts'

// What every parcel is offered for: a tenth is gone with each sale, so it is little beside the buyers' credit.
const PRICE = cotton(1_000)

/** A parcel on the market, and the one who wants it: never its owner. */
export type Offered = { listingId: string; seller: string; wish: Wish }

const readOwners = sql(
  'bench-owners',
  `select l.parcel_id, l.wallet from land l
   where not exists (select from listings o where o.parcel_id = l.parcel_id and o.state = 'active')
   order by l.parcel_id limit $1`,
)

/** Players with credit who will own all the land there is. */
export const seedTraders = seedBuyers

/** Lets players buy every parcel from the game, at its price of that moment. */
export async function buyAllLand(db: Db): Promise<void> {
  for (const lot of Map.groupBy(PARCELS, (parcel) => parcel.regionId).values()) {
    const asked = lot.map(({ parcelId }) => ({ ...wishFor(parcelId), expectedPrice: null, key: null }))
    const answers = await db.transaction((tx) => buyParcels(tx, asked, systemClock))
    answers.forEach(replyOf)
  }
}

/** Puts land that is not on the market there, each parcel by its owner: all of it, or so many parcels at most. */
export async function offerLand(db: Db, most = PARCELS.length): Promise<Offered[]> {
  const owners = await db.rows<{ parcel_id: string; wallet: string }>(readOwners, [most])
  const asked = owners.map(({ parcel_id: parcelId, wallet }) => ({
    wallet,
    parcelId,
    price: PRICE,
    key: null,
  }))
  const deps = { clock: systemClock, market: marketIn('open') }
  const answers = await db.transaction((tx) => listParcels(tx, asked, deps))
  return answers.map((answer, at) => {
    const { wallet: seller, parcelId } = asked[at]!
    let wish = wishFor(parcelId)
    while (wish.wallet === seller) wish = wishFor(parcelId)
    return { listingId: replyOf(answer).listing.id, seller, wish }
  })
}
