import * as z from 'zod/mini'
import { CONTINENTS } from '#game/continents.ts'
import { percentOf } from '#game/basis-points.ts'
import { PRICE_STEP_BPS } from '#game/parcels.ts'
import { get, post } from './route.ts'
import { AmountInRequest, CottonOnWire, Success, Wallet } from './values.ts'

export const Continent = z.enum(CONTINENTS)

/** `EU-FR` or `AN-01`. */
export const ParcelId = z.string().check(z.regex(/^[A-Z]{2}-[A-Z0-9]{2}$/, 'is not a parcel id'))

export const ParcelOnWire = z.object({
  parcelId: ParcelId,
  regionId: Continent,
  regionName: z.string(),
  countryCode: z.string(),
  countryName: z.string(),
  assetType: z.enum(['country', 'parcel']),
  owned: z.boolean(),
  ownerWallet: z.nullable(Wallet),
  /** km² */
  area: z.number(),
  tier: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  /** For information only. A sale charges the continent's price. */
  basePrice: CottonOnWire,
})

export const readContinentPrice = get('/api/continent-price/:regionId', {
  summary: 'The price of the next parcel of a continent.',
  params: z.strictObject({ regionId: Continent }),
  reply: z.object({ success: Success, currentPrice: CottonOnWire }),
})

export const ContinentStats = z.object({
  owned: z.int(),
  total: z.int(),
  available: z.int(),
  currentPrice: CottonOnWire,
  /** Increases with every sale on the continent. */
  version: z.int(),
})

export const readContinentStats = get('/api/continent-stats', {
  summary: 'How many parcels of each continent are owned, and its price, by continent code.',
  reply: z.record(Continent, ContinentStats),
})

export const readParcels = get('/api/parcels', {
  summary: 'The parcels of a continent or of an owner. One of the two is required.',
  query: z.strictObject({ regionId: z.optional(Continent), owner: z.optional(Wallet) }),
  reply: z.array(ParcelOnWire),
})

export const purchaseParcel = post('/api/parcels/purchase', {
  summary: `Buys a parcel at its continent’s price, and raises that price by ${percentOf(PRICE_STEP_BPS)} %.`,
  auth: 'player',
  keyed: true,
  body: z.strictObject({
    parcelId: ParcelId,
    walletAddress: Wallet,
    /** The purchase is refused if the price differs. */
    expectedPrice: z.optional(AmountInRequest),
  }),
  reply: z.object({
    success: Success,
    message: z.string(),
    parcel: z.object({
      parcelId: ParcelId,
      owned: z.literal(true),
      ownerWallet: Wallet,
      pricePaid: CottonOnWire,
    }),
    newContinentPrice: CottonOnWire,
    newBalance: CottonOnWire,
    version: z.int(),
  }),
  refuses: [
    'wallet_of_another',
    'parcel_not_found',
    'parcel_owned',
    'price_moved',
    'not_enough_credit_for_parcel',
    'wallet_frozen',
  ],
})
