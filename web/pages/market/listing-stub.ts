import type { Listing } from '#web/land/use-listings.ts'

/** A listing for tests. */
export const LISTING: Listing = {
  id: 'a',
  status: 'active',
  parcelId: 'EU-MT',
  continentCode: 'EU',
  assetType: 'country',
  countryCode: 'MT',
  countryName: 'Malta',
  regionName: 'Europe',
  tier: 3,
  displayPrice: null,
  originalPrice: null,
  sellerReceives: null,
  lastPrice: null,
  listedDate: '2026-11-20T09:12:00.000Z',
  sellerWalletAddress: 'ana',
  buyerWalletAddress: null,
  purchaseDate: null,
}
