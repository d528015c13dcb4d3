import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Listing } from '#web/land/use-listings.ts'

Object.assign(window, { location: new URL('http://farm.test') })
const { MyListingCard } = await import('./my-listing-card.tsx')

test('the state of a listing is alone in an element, because its icon changes when it is sold', () => {
  const listing: Listing = {
    id: 'a',
    status: 'sold',
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
  const card = renderToStaticMarkup(<MyListingCard listing={listing} shape={null} />)
  expect(card).toContain('</svg><span>Sold</span></span>')
})
