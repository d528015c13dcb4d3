import type * as z from 'zod/mini'
import type { ListingOnWire as ListingSchema } from '#contract/market.ts'
import { baseUnits, type Cotton, toWire } from '#game/cotton.ts'
import { sellerReceives } from '#game/credit.ts'
import { parcelOf } from '#game/world.ts'
import { assert } from '#server/platform/assert.ts'
import { type Db, type Queryable, sql } from '#server/platform/db/db.ts'

export type ListingOnWire = z.output<typeof ListingSchema>

export type Listing = {
  id: string
  parcelId: string
  seller: string
  price: Cotton
  state: 'active' | 'sold' | 'cancelled'
  listedAt: Date
  buyer: string | null
  closedAt: Date | null
}

const COLUMNS = `l.id, l.parcel_id as "parcelId", l.seller, l.price, l.state, l.listed_at as "listedAt", l.buyer,
  l.closed_at as "closedAt"`

const readActive = sql(
  'listings-read-active',
  `select ${COLUMNS} from listings l where l.state = 'active' order by l.listed_at desc, l.id desc`,
)

const readActiveOf = sql(
  'listings-read-active-of',
  `select ${COLUMNS} from listings l where l.seller = $1 and l.state = 'active'
   order by l.listed_at desc, l.id desc`,
)

// The page behind a listing; behind an unknown one there is none.
const readSoldOf = sql(
  'listings-read-sold-of',
  `select ${COLUMNS} from listings l where l.seller = $1 and l.state = 'sold' and (l.listed_at, l.id) < (
     case when $2::uuid is null then 'infinity'
       else coalesce((select b.listed_at from listings b where b.id = $2), '-infinity') end,
     coalesce($2, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
   order by l.listed_at desc, l.id desc limit $3`,
)

const readResales = sql(
  'listings-read-resales',
  `select l.id, l.price, l.closed_at as at from listings l
   where l.parcel_id = $1 and l.state = 'sold' and (l.closed_at, l.id) < (
     case when $2::uuid is null then 'infinity'
       else coalesce((select b.closed_at from listings b where b.id = $2), '-infinity') end,
     coalesce($2, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
   order by l.closed_at desc, l.id desc limit $3`,
)

const readFirstSale = sql(
  'listings-read-first-sale',
  'select price_paid as price, bought_at as at from land where parcel_id = $1',
)

const SOLD_PAGE = 100
const SALES_PAGE = 200

/** The cursor of the page behind these rows; null where they are the last. */
const nextOf = (rows: readonly { id: string }[], page: number): string | null =>
  rows.length === page ? rows.at(-1)!.id : null

/** A listing as it travels to `reader`; who bought it is for its two parties only. */
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
    listedDate: listing.listedAt.toISOString(),
    sellerWalletAddress: listing.seller,
    buyerWalletAddress: isParty ? listing.buyer : null,
    purchaseDate: listing.state === 'sold' && isParty ? listing.closedAt!.toISOString() : null,
  }
}

/** Every active listing, newest first. */
export async function readActiveListings(db: Queryable): Promise<ListingOnWire[]> {
  const rows = await db.rows<Listing>(readActive)
  return rows.map((row) => listingOnWire(row, null))
}

/**
 * The listings of a wallet, newest first: with the first page all active ones, which are no more than its land; and the
 * sold ones, in pages, where the wallet itself asks.
 */
export async function readListingsOf(
  db: Queryable,
  { wallet, reader, before }: { wallet: string; reader: string | null; before?: string | undefined },
): Promise<{ listings: ListingOnWire[]; next: string | null }> {
  const [active, sold] = await Promise.all([
    before === undefined ? db.rows<Listing>(readActiveOf, [wallet]) : [],
    reader === wallet ? db.rows<Listing>(readSoldOf, [wallet, before, SOLD_PAGE]) : [],
  ])
  const newestFirst = [...active, ...sold].toSorted((a, b) => b.listedAt.getTime() - a.listedAt.getTime())
  return { listings: newestFirst.map((row) => listingOnWire(row, reader)), next: nextOf(sold, SOLD_PAGE) }
}

/** What a parcel was sold for: a page of the newest sales, or of those before one, oldest first. */
export async function readSalesOf(
  db: Db,
  { parcelId, before }: { parcelId: string; before?: string | undefined },
) {
  type Sale = { price: bigint; at: Date }
  const resales = await db.rows<Sale & { id: string }>(readResales, [parcelId, before, SALES_PAGE])
  const next = nextOf(resales, SALES_PAGE)
  // The game sold it before any player did.
  const [first] = next === null ? await db.rows<Sale>(readFirstSale, [parcelId]) : []
  const onWire = ({ price, at }: Sale, by: 'game' | 'player') => ({
    price: toWire(baseUnits(price)),
    at: at.toISOString(),
    by,
  })
  const sales = resales.toReversed().map((sale) => onWire(sale, 'player'))
  return { sales: first ? [onWire(first, 'game'), ...sales] : sales, next }
}
