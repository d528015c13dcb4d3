import * as z from 'zod/mini'
import { percentOf } from '#game/basis-points.ts'
import { FEE_BPS } from '#game/credit.ts'
import { Continent, ParcelId } from './parcels.ts'
import { get, post } from './route.ts'
import { CottonOnWire, Instant, Success, Wallet, type WireAmount } from './values.ts'

/** The highest price of a listing, in whole $COTTON. */
export const HIGHEST_LISTING_PRICE = 1_000_000_000_000

/** Whole $COTTON, so that the fee is exact to the base unit. */
const ListingPrice: z.ZodMiniType<WireAmount, WireAmount> = z
  .int()
  .check(z.minimum(1, 'must be at least 1'), z.maximum(HIGHEST_LISTING_PRICE, 'must be at most 10¹²'))

const ListingId = z.uuid()

/** How many sold listings one page of a wallet's listings has. */
export const SOLD_PAGE = 100

export const ListingOnWire = z.object({
  id: ListingId,
  status: z.enum(['active', 'sold', 'cancelled']),
  parcelId: ParcelId,
  continentCode: Continent,
  assetType: z.enum(['country', 'parcel']),
  countryCode: z.string(),
  countryName: z.string(),
  regionName: z.string(),
  tier: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  /** What the buyer pays. It equals originalPrice. */
  displayPrice: CottonOnWire,
  originalPrice: CottonOnWire,
  /** What the seller receives: the price less the fee. */
  sellerReceives: CottonOnWire,
  /** The price of the parcel's last sale before this listing: what the seller paid. */
  lastPrice: CottonOnWire,
  listedDate: Instant,
  sellerWalletAddress: Wallet,
  /** Only for a sold listing, and only to its seller and its buyer. */
  buyerWalletAddress: z.nullable(Wallet),
  purchaseDate: z.nullable(Instant),
})

export const readListings = get('/api/marketplace/listings', {
  summary: 'All active listings, newest first, and the continents where the market is open.',
  reply: z.object({
    success: Success,
    /** Whether land can be traded on any continent. */
    open: z.boolean(),
    /** All continents, or those that the operator has opened early. */
    openContinents: z.array(Continent),
    listings: z.array(ListingOnWire),
  }),
})

export const readUserListings = get('/api/marketplace/listings/user/:wallet', {
  summary: 'The active listings of a wallet. The wallet itself also gets its sold ones, in pages.',
  auth: 'either',
  params: z.strictObject({ wallet: Wallet }),
  query: z.strictObject({ before: z.optional(ListingId) }),
  reply: z.object({
    success: Success,
    listings: z.array(ListingOnWire),
    /** The value of `before` for older sold listings; null at the end. */
    next: z.nullable(ListingId),
  }),
})

export const listParcel = post('/api/marketplace/list', {
  summary: 'Lists a parcel of yours for sale.',
  auth: 'player',
  keyed: true,
  body: z.strictObject({ parcelId: ParcelId, price: ListingPrice, walletAddress: Wallet }),
  reply: z.object({ success: Success, message: z.string(), listing: ListingOnWire }),
  refuses: [
    'wallet_of_another',
    'market_closed',
    'parcel_not_found',
    'parcel_not_yours',
    'already_listed',
    'wallet_frozen',
  ],
})

export const purchaseListing = post('/api/marketplace/purchase', {
  summary: `Buys a listed parcel. The fee is ${percentOf(FEE_BPS)} % of the price; the seller receives the rest.`,
  auth: 'player',
  keyed: true,
  body: z.strictObject({
    listingId: ListingId,
    walletAddress: Wallet,
    /** The purchase is refused if the price differs. */
    expectedPrice: z.optional(ListingPrice),
  }),
  reply: z.object({
    success: Success,
    message: z.string(),
    parcelId: ParcelId,
    newBalance: CottonOnWire,
    /** The version of the parcel's continent after this sale. */
    version: z.int(),
  }),
  refuses: [
    'wallet_of_another',
    'market_closed',
    'listing_not_found',
    'listing_gone',
    'listing_suspended',
    'own_listing',
    'price_moved',
    'not_enough_credit',
    'wallet_frozen',
  ],
})

export const cancelListing = post('/api/marketplace/cancel/:listingId', {
  summary: 'Cancels your listing.',
  auth: 'player',
  keyed: true,
  params: z.strictObject({ listingId: ListingId }),
  body: z.strictObject({ walletAddress: Wallet }),
  reply: z.object({ success: Success, message: z.string() }),
  refuses: ['wallet_of_another', 'listing_not_found', 'listing_not_yours', 'listing_gone'],
})

export const readParcelSales = get('/api/parcels/:parcelId/sales', {
  summary: 'The sale prices of a parcel: the newest 200 sales, or the 200 before a given one; oldest first.',
  params: z.strictObject({ parcelId: ParcelId }),
  query: z.strictObject({ before: z.optional(ListingId) }),
  reply: z.object({
    success: Success,
    sales: z.array(z.object({ price: CottonOnWire, at: Instant, by: z.enum(['game', 'player']) })),
    /** The value of `before` for older sales; null if the first sale is included. */
    next: z.nullable(ListingId),
  }),
  refuses: ['parcel_not_found'],
})
