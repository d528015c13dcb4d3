import { v7 as uuid } from 'uuid'
import type { listParcel } from '#contract/market.ts'
import type { ReplyOf } from '#contract/route.ts'
import { baseUnits, type Cotton } from '#game/cotton.ts'
import { parcelOf } from '#game/world.ts'
import { runOnce, type ActionRequest } from '#server/actions/run-once.ts'
import type { Ledger } from '#server/ledger/ledger.ts'
import { type AnswerOf, granted, refused } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { rowOf, rowset, sql, type Tx } from '#server/platform/db/db.ts'
import { lastPriceOf } from './last-price.ts'
import { type Listing, listingOnWire } from './read-listings.ts'
import { lockOwnersOf } from './lock-land.ts'
import type { Market } from './market-mode.ts'

/** A request to list a parcel at this price. */
export type Offer = ActionRequest & { parcelId: string; price: Cotton }

// The locked owners cannot sell, so the last price stays the last one.
const readLand = sql({
  name: 'market-read-land',
  params: { ids: 'text[]' },
  row: rowOf<{ parcel_id: string; listed: boolean; last_price: bigint }>(),
  text: ({ ids }) =>
    `select l.parcel_id, ${lastPriceOf('l.parcel_id')} as last_price,
       exists (select from listings a where a.parcel_id = l.parcel_id and a.state = 'active') as listed
     from land l where l.parcel_id = any(${ids})`,
})

const addListings = sql({
  name: 'market-add-listings',
  params: {
    added: rowset({ id: 'uuid', parcel_id: 'text', seller: 'text', price: 'bigint' }),
    now: 'timestamptz',
  },
  text: ({ added, now }) =>
    `insert into listings (id, parcel_id, seller, price, listed_at)
     select id, parcel_id, seller, price, ${now} from ${added}`,
})

/**
 * Lists parcels: many requests in, one answer each, in their order. Only the owner can list a parcel, and a parcel has
 * at most one active listing.
 */
export async function listParcels(
  tx: Tx,
  offers: readonly Offer[],
  { clock, market }: { clock: Clock; market: Market },
): Promise<AnswerOf<typeof listParcel>[]> {
  const ids = offers.map((offer) => offer.parcelId)
  const lockAndRead = () =>
    Promise.all([market.openContinents(tx), lockOwnersOf(tx, ids), tx.rows(readLand, { ids })])
  const act = async (
    _ledger: Ledger,
    fresh: readonly Offer[],
    now: Date,
    [open, owners, land]: Awaited<ReturnType<typeof lockAndRead>>,
  ) => {
    if (open.size === 0) return fresh.map(() => refused('market_closed'))
    const listed = new Set(land.flatMap((row) => (row.listed ? [row.parcel_id] : [])))
    const lastPrices = new Map(land.map((row) => [row.parcel_id, baseUnits(row.last_price)]))
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
        lastPrice: lastPrices.get(parcelId)!,
        state: 'active',
        listedAt: now,
        buyer: null,
        closedAt: null,
      }
      added.push(listing)
      return granted<ReplyOf<typeof listParcel>>({
        success: true,
        message: 'Your land is on the market.',
        listing: listingOnWire(listing, wallet),
      })
    })
    if (added.length > 0) {
      const rows = added.map(({ parcelId, ...listing }) => ({ ...listing, parcel_id: parcelId }))
      tx.send(addListings, { added: rows, now })
    }
    return answers
  }
  return runOnce(tx, offers, clock, act, { lockAndRead })
}
