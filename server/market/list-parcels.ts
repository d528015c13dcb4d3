import { v7 as uuid } from 'uuid'
import type { Cotton } from '#game/cotton.ts'
import { parcelOf } from '#game/world.ts'
import { runOnce, type ActionRequest } from '#server/actions/run-once.ts'
import type { Ledger } from '#server/ledger/ledger.ts'
import { type Answer, granted, refused } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { type Listing, type ListingOnWire, listingOnWire } from './read-listings.ts'
import { lockOwnersOf } from './lock-land.ts'
import type { Market } from './market-mode.ts'

/** Offers a parcel for this many base units. */
export type Offer = ActionRequest & { parcelId: string; price: Cotton }
export type OfferReply = { success: true; message: string; listing: ListingOnWire }

const findActive = sql(
  'market-find-active',
  `select parcel_id from listings where parcel_id = any($1::text[]) and state = 'active'`,
)

const addListings = sql(
  'market-add-listings',
  `insert into listings (id, parcel_id, seller, price, listed_at)
   select id, parcel_id, seller, price, $5
   from unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[]) as offered (id, parcel_id, seller, price)`,
)

/** Lists parcels: many offers in, one answer each, in their order. Only its owner lists a parcel, once at a time. */
export async function listParcels(
  tx: Tx,
  offers: readonly Offer[],
  { clock, market }: { clock: Clock; market: Market },
): Promise<Answer<OfferReply>[]> {
  const ids = offers.map((offer) => offer.parcelId)
  const lockAndRead = () =>
    Promise.all([
      market.openContinents(tx),
      lockOwnersOf(tx, ids),
      tx.rows<{ parcel_id: string }>(findActive, [ids]),
    ])
  const act = async (
    _ledger: Ledger,
    fresh: readonly Offer[],
    now: Date,
    [open, owners, active]: Awaited<ReturnType<typeof lockAndRead>>,
  ) => {
    if (open.size === 0) return fresh.map(() => refused('market_closed'))
    const listed = new Set(active.map((row) => row.parcel_id))
    const added: Listing[] = []
    const answers = fresh.map(({ wallet, parcelId, price }) => {
      const parcel = parcelOf(parcelId)
      if (!parcel) return refused('parcel_not_found')
      if (!open.has(parcel.regionId)) return refused('market_closed')
      if (owners.get(parcelId) !== wallet) return refused('parcel_not_yours')
      if (listed.has(parcelId)) return refused('already_listed')
      listed.add(parcelId)
      const listing: Listing = {
        id: uuid(),
        parcelId,
        seller: wallet,
        price,
        state: 'active',
        listedAt: now,
        buyer: null,
        closedAt: null,
      }
      added.push(listing)
      return granted<OfferReply>({
        success: true,
        message: 'Your land is on the market.',
        listing: listingOnWire(listing, wallet),
      })
    })
    if (added.length > 0) {
      void tx.rows(addListings, [
        added.map((each) => each.id),
        added.map((each) => each.parcelId),
        added.map((each) => each.seller),
        added.map((each) => each.price),
        now,
      ])
    }
    return answers
  }
  return runOnce(tx, offers, clock, act, { lockAndRead })
}
