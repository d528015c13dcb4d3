import * as z from 'zod/mini'
import { Continent, ParcelId } from './parcels.ts'
import { get, post } from './route.ts'
import { CottonOnWire, Instant, Success, Wallet, type WireAmount } from './values.ts'

/** The highest price that a listing may ask, in whole $COTTON. */
export const HIGHEST_LISTING_PRICE = 1_000_000_000_000

/** Whole $COTTON, so that a tenth of it is exact. */
const ListingPrice: z.ZodMiniType<WireAmount, WireAmount> = z
  .int()
  .check(z.minimum(1, 'must be at least 1'), z.maximum(HIGHEST_LISTING_PRICE, 'must be at most 10¹²'))

const ListingId = z.uuid()

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
  /** What the buyer pays; the same as originalPrice. */
  displayPrice: CottonOnWire,
  originalPrice: CottonOnWire,
  /** What the seller receives: the price less a tenth. */
  sellerReceives: CottonOnWire,
  listedDate: Instant,
  sellerWalletAddress: Wallet,
  /** Of a sold listing, and only for its seller and its buyer. */
  buyerWalletAddress: z.nullable(Wallet),
  purchaseDate: z.nullable(Instant),
})

export const readListings = get('/api/marketplace/listings', {
  summary: 'All active listings, newest first, and where the market is open.',
  reply: z.object({
    success: Success,
    /** Whether land may be traded anywhere. */
    open: z.boolean(),
    /** Where: all continents, or those that the operator has opened early. */
    openContinents: z.array(Continent),
    listings: z.array(ListingOnWire),
  }),
})

export const readUserListings = get('/api/marketplace/listings/user/:wallet', {
  summary:
    'The listings of a wallet: the active ones for everyone, also the sold ones, in pages, for the wallet itself.',
  auth: 'either',
  params: z.strictObject({ wallet: Wallet }),
  query: z.strictObject({ before: z.optional(ListingId) }),
  reply: z.object({
    success: Success,
    listings: z.array(ListingOnWire),
    /** Give it as `before` for older sold ones; null at the end. */
    next: z.nullable(ListingId),
  }),
})

export const listParcel = post('/api/marketplace/list', {
  summary: 'Offers a parcel of yours for sale.',
  auth: 'player',
  keyed: true,
  body: z.strictObject({ parcelId: ParcelId, price: ListingPrice, walletAddress: Wallet }),
  reply: z.object({ success: Success, message: z.string(), listing: ListingOnWire }),
  refuses: ['wallet_of_another', 'market_closed', 'parcel_not_found', 'parcel_not_yours', 'already_listed'],
})

export const purchaseListing = post('/api/marketplace/purchase', {
  summary: 'Buys a listed parcel: nine tenths go to the seller, one tenth is the fee.',
  auth: 'player',
  keyed: true,
  body: z.strictObject({
    listingId: ListingId,
    walletAddress: Wallet,
    /** Refuses instead of charging where the price is another. */
    expectedPrice: z.optional(ListingPrice),
  }),
  reply: z.object({
    success: Success,
    message: z.string(),
    parcelId: ParcelId,
    newBalance: CottonOnWire,
    /** Of the parcel's continent, right behind this sale. */
    version: z.int(),
  }),
  refuses: [
    'wallet_of_another',
    'market_closed',
    'listing_not_found',
    'listing_gone',
    'own_listing',
    'price_moved',
    'not_enough_credit',
  ],
})

export const cancelListing = post('/api/marketplace/cancel/:listingId', {
  summary: 'Takes your listing back.',
  auth: 'player',
  keyed: true,
  params: z.strictObject({ listingId: ListingId }),
  body: z.strictObject({ walletAddress: Wallet }),
  reply: z.object({ success: Success, message: z.string() }),
  refuses: ['wallet_of_another', 'listing_not_found', 'listing_not_yours', 'listing_gone'],
})

export const readParcelSales = get('/api/parcels/:parcelId/sales', {
  summary: 'What a parcel was sold for: the newest 200 sales, or 200 before one of them; oldest sale first.',
  params: z.strictObject({ parcelId: ParcelId }),
  query: z.strictObject({ before: z.optional(ListingId) }),
  reply: z.object({
    success: Success,
    sales: z.array(z.object({ price: CottonOnWire, at: Instant, by: z.enum(['game', 'player']) })),
    /** Give it as `before` for older sales; null where these include the first one. */
    next: z.nullable(ListingId),
  }),
  refuses: ['parcel_not_found'],
})
