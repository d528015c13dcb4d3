import '#web/api/browser-stub.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import type { Listing } from '#web/land/use-listings.ts'

Object.assign(window, { location: new URL('http://farm.test') })
const { session } = await import('#web/api/session.ts')
const { toasts } = await import('#web/ui/toast-store.ts')
const { useBuyParcel } = await import('#web/pages/parcels/use-buy-parcel.ts')
const { mayPurchase } = await import('./use-purchase.ts')
const { useCancelListing } = await import('./use-cancel-listing.ts')

/** The result of a hook in a page that is rendered without a browser. */
function given<T>(useIt: () => T): T {
  const got: T[] = []
  const Page = () => {
    got.push(useIt())
    return null
  }
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <Page />
    </QueryClientProvider>,
  )
  return got[0]!
}

beforeEach(() => {
  toasts.set([])
  session.set({ token: 'a token', walletAddress: null, step: 'idle', ended: null })
})

test('a session without its wallet address buys no land and gets a message (S-74)', () => {
  const { buy } = given(() => useBuyParcel({ parcelId: 'EU-FR', ownerWallet: null }))
  buy({ parcelId: 'EU-FR', owned: false } as LandParcel, cotton(100_000))
  expect(toasts.get().map(({ text }) => text)).toEqual(['Wallet address not found'])
})

test('a session without its wallet address neither buys nor cancels a listing (S-104)', () => {
  const sentence = 'Unable to determine wallet address. Please reconnect your wallet.'
  expect(mayPurchase({ sellerWalletAddress: 'somebody' } as Listing)).toBe(false)
  given(() => useCancelListing('a listing')).cancel()
  expect(toasts.get().map(({ text }) => text)).toEqual([sentence, sentence])
})
