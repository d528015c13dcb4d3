import type * as z from 'zod/mini'
import type { ListingOnWire as ListingSchema } from '#contract/market.ts'
import { baseUnits, type Cotton, toWire } from '#game/cotton.ts'
import { sellerReceives } from '#game/credit.ts'
import { parcelOf } from '#game/world.ts'
import { assert } from '#server/platform/assert.ts'
import { type Db, sql, type Tx } from '#server/platform/db/db.ts'

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

const readBySeller = sql(
  'listings-read-by-seller',
  `select ${COLUMNS} from listings l where l.seller = $1 and l.state in ('active', 'sold')
   order by l.listed_at desc, l.id desc limit 500`,
)

const readSales = sql(
  'listings-read-sales',
  `select price_paid as price, bought_at as at, 'game' as by from land where parcel_id = $1
   union all
   select price, closed_at, 'player' from listings where parcel_id = $1 and state = 'sold'
   order by at`,
)

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
export async function readActiveListings(db: Tx): Promise<ListingOnWire[]> {
  const rows = await db.rows<Listing>(readActive)
  return rows.map((row) => listingOnWire(row, null))
}

/** The listings of a wallet: active ones, and the sold ones too where the wallet itself asks. */
export async function readListingsOf(
  db: Tx,
  { wallet, reader }: { wallet: string; reader: string | null },
): Promise<ListingOnWire[]> {
  const rows = await db.rows<Listing>(readBySeller, [wallet])
  return rows
    .filter((row) => row.state === 'active' || reader === wallet)
    .map((row) => listingOnWire(row, reader))
}

/** What a parcel was sold for so far, oldest first. */
export async function readSalesOf(db: Db, parcelId: string) {
  const rows = await db.rows<{ price: bigint; at: Date; by: 'game' | 'player' }>(readSales, [parcelId])
  return rows.map(({ price, at, by }) => ({ price: toWire(baseUnits(price)), at: at.toISOString(), by }))
}
