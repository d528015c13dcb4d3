import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { sellerReceives } from '#game/credit.ts'
import { LISTING } from './listing-stub.ts'

Object.assign(window, { location: new URL('http://farm.test') })
const { MyListingCard } = await import('./my-listing-card.tsx')

test('the state of a listing is alone in an element, because its icon changes when it is sold', () => {
  const listing = { ...LISTING, status: 'sold' } as const
  const card = renderToStaticMarkup(<MyListingCard listing={listing} shape={null} />)
  expect(card).toContain('</svg><span>Sold</span></span>')
})

test('the seller of land for 1 $COTTON reads that 0.9 were received, not 0', () => {
  const price = cotton(1)
  const amounts = { originalPrice: price, sellerReceives: sellerReceives(price) }
  const listing = { ...LISTING, ...amounts, status: 'sold' } as const
  const card = renderToStaticMarkup(<MyListingCard listing={listing} shape={null} />)
  expect(card).toContain('<dt>You received</dt><dd class="num">0.9</dd>')
})

test('a sold listing shows its price, the buyer and the date of the sale (S-42)', () => {
  const sale = {
    status: 'sold',
    originalPrice: cotton(40_005),
    buyerWalletAddress: 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi',
    purchaseDate: '2026-11-21T12:00:00.000Z',
  } as const
  const card = renderToStaticMarkup(<MyListingCard listing={{ ...LISTING, ...sale }} shape={null} />)
  expect(card).toContain('<dt>Original price</dt><dd class="num">40,005</dd>')
  expect(card).toContain('<dt>Buyer</dt><dd class="num">HCEj4F…2iPi</dd>')
  expect(card).toMatch(/<dt>Sold<\/dt><dd class="num"><time datetime="2026-11-21T[^>]*>[^<]*Nov/i)
})

test('a state of a listing that only a newer server knows is shown by its code, not as a sale', () => {
  const listing = { ...LISTING, status: 'expired' as 'sold' }
  const card = renderToStaticMarkup(<MyListingCard listing={listing} shape={null} />)
  expect(card).toContain('</svg><span>expired</span></span>')
  expect(card).toContain('<dt>You receive (90%)</dt>')
  expect(card).not.toContain('<dt>Buyer</dt>')
})
