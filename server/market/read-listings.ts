import type * as z from 'zod/mini'
import { type ListingOnWire as ListingSchema, SOLD_PAGE } from '#contract/market.ts'
import { baseUnits, type Cotton, toWire } from '#game/cotton.ts'
import { sellerReceives } from '#game/credit.ts'
import { parcelOf } from '#game/world.ts'
import { assert } from '#server/platform/assert.ts'
import { type Db, type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { lastPriceOf } from './last-price.ts'

export type ListingOnWire = z.output<typeof ListingSchema>

export type Listing = {
  id: string
  parcelId: string
  seller: string
  price: Cotton
  /** The price of the sale before this listing: what the seller paid. */
  lastPrice: Cotton
  state: 'active' | 'sold' | 'cancelled'
  listedAt: Date
  buyer: string | null
  closedAt: Date | null
}

// Sales before a listing: the newest of those that closed before it did, in the order of `readResales`.
const COLUMNS = `l.id, l.parcel_id as "parcelId", l.seller, l.price, l.state, l.listed_at as "listedAt", l.buyer,
  l.closed_at as "closedAt",
  ${lastPriceOf('l.parcel_id', "(p.closed_at, p.id) < (coalesce(l.closed_at, 'infinity'), l.id)")} as "lastPrice"`

const row = rowOf<Listing>()

const readActive = sql({
  name: 'listings-read-active',
  row,
  text: `select ${COLUMNS} from listings l where l.state = 'active' order by l.listed_at desc, l.id desc`,
})

const readActiveOf = sql({
  name: 'listings-read-active-of',
  params: { seller: 'text' },
  row,
  text: ({ seller }) =>
    `select ${COLUMNS} from listings l where l.seller = ${seller} and l.state = 'active'
     order by l.listed_at desc, l.id desc`,
})

// In the order of the sales: what was listed long ago may have been sold just now. Journal ids ascend with time, so the
// newest sales are the end of one index range. After an unknown listing there are none.
const readSoldOf = sql({
  name: 'listings-read-sold-of',
  params: { seller: 'text', before: 'uuid | null', limit: 'integer' },
  row,
  text: ({ seller, before, limit }) =>
    `select ${COLUMNS} from listings l
     where l.seller = ${seller} and l.state = 'sold' and l.journal_id <
       case when ${before} is null then 'ffffffff-ffff-ffff-ffff-ffffffffffff'
         else (select b.journal_id from listings b where b.id = ${before}) end
     order by l.journal_id desc limit ${limit}`,
})

type SaleRow = { price: bigint; at: Date }

// After an unknown listing there are none.
const readResales = sql({
  name: 'listings-read-resales',
  params: { parcelId: 'text', before: 'uuid | null', limit: 'integer' },
  row: rowOf<SaleRow & { id: string }>(),
  text: ({ parcelId, before, limit }) =>
    `select l.id, l.price, l.closed_at as at from listings l
     where l.parcel_id = ${parcelId} and l.state = 'sold' and (l.closed_at, l.id) < (
       case when ${before} is null then 'infinity'
         else coalesce((select b.closed_at from listings b where b.id = ${before}), '-infinity') end,
       coalesce(${before}, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
     order by l.closed_at desc, l.id desc limit ${limit}`,
})

const readFirstSale = sql({
  name: 'listings-read-first-sale',
  params: { parcelId: 'text' },
  row: rowOf<SaleRow>(),
  text: ({ parcelId }) =>
    `select price_paid as price, bought_at as at from land where parcel_id = ${parcelId}`,
})

const SALES_PAGE = 200

/** The cursor of the next page, or null if this is the last one. */
const nextOf = (rows: readonly { id: string }[], page: number): string | null =>
  rows.length === page ? rows.at(-1)!.id : null

/** A listing as sent to `reader`. Only seller and buyer see who bought it. */
export function listingOnWire(listing: Listing, reader: string | null): ListingOnWire {
  const parcel = parcelOf(listing.parcelId)
  assert(parcel, `the world knows ${listing.parcelId}`)
  const isParty = reader !== null && (reader === listing.seller || reader === listing.buyer)
  return {
    id: listing.id,
    status: listing.state,
    parcelId: parcel.parcelId,
    continentCode: parcel.regionId,
    assetType: parcel.assetType,
    countryCode: parcel.countryCode,
    countryName: parcel.countryName,
    regionName: parcel.regionName,
    tier: parcel.tier,
    displayPrice: toWire(listing.price),
    originalPrice: toWire(listing.price),
    sellerReceives: toWire(sellerReceives(listing.price)),
    lastPrice: toWire(listing.lastPrice),
    listedDate: listing.listedAt.toISOString(),
    sellerWalletAddress: listing.seller,
    buyerWalletAddress: isParty ? listing.buyer : null,
    purchaseDate: listing.state === 'sold' && isParty ? listing.closedAt!.toISOString() : null,
  }
}

/** Every active listing, newest first. */
export async function readActiveListings(db: Queryable): Promise<ListingOnWire[]> {
  const rows = await db.rows(readActive)
  return rows.map((row) => listingOnWire(row, null))
}

/** When an active listing was listed, or a sold one was sold. */
const changedAt = ({ listedAt, closedAt }: Listing): number => (closedAt ?? listedAt).getTime()

/**
 * The listings of a wallet, last changed first. The first page contains all active listings, which are at most one per
 * parcel. Sold listings come in pages, by their sale, and only the wallet itself can read them.
 */
export async function readListingsOf(
  db: Queryable,
  { wallet, reader, before }: { wallet: string; reader: string | null; before?: string | undefined },
): Promise<{ listings: ListingOnWire[]; next: string | null }> {
  const active = before === undefined ? await db.rows(readActiveOf, { seller: wallet }) : []
  // After the active ones: one that is sold between the two reads is in both. In the other order it could be in neither.
  const sold =
    reader === wallet
      ? await db.rows(readSoldOf, { seller: wallet, before: before ?? null, limit: SOLD_PAGE })
      : []
  const soldIds = new Set(sold.map(({ id }) => id))
  const unsold = active.filter(({ id }) => !soldIds.has(id))
  const newestFirst = [...unsold, ...sold].toSorted((a, b) => changedAt(b) - changedAt(a))
  return { listings: newestFirst.map((row) => listingOnWire(row, reader)), next: nextOf(sold, SOLD_PAGE) }
}

/** The sales of a parcel, oldest first: a page of the newest, or of those before the resale `before`. */
export async function readSalesOf(
  db: Db,
  { parcelId, before }: { parcelId: string; before?: string | undefined },
) {
  const resales = await db.rows(readResales, { parcelId, before: before ?? null, limit: SALES_PAGE })
  const next = nextOf(resales, SALES_PAGE)
  // The first sale was by the game.
  const [first] = next === null ? await db.rows(readFirstSale, { parcelId }) : []
  const onWire = ({ price, at }: SaleRow, by: 'game' | 'player') => ({
    price: toWire(baseUnits(price)),
    at: at.toISOString(),
    by,
  })
  const sales = resales.toReversed().map((sale) => onWire(sale, 'player'))
  return { sales: first ? [onWire(first, 'game'), ...sales] : sales, next }
}
