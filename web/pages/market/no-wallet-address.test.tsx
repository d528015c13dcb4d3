import '#web/api/browser-stub.ts'
import { beforeEach, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { renderHook } from '#web/api/hook-stub.tsx'
import type { LandParcel } from '#web/api/use-owned-land.ts'
import type { Listing } from '#web/land/use-listings.ts'

Object.assign(window, { location: new URL('http://farm.test') })
const { session } = await import('#web/api/session.ts')
const { toasts } = await import('#web/ui/toast-store.ts')
const { useBuyParcel } = await import('#web/pages/parcels/use-buy-parcel.ts')
const { mayPurchase } = await import('./use-purchase.ts')
const { useCancelListing } = await import('./use-cancel-listing.ts')

beforeEach(() => {
  toasts.set([])
  session.set({ token: 'a token', walletAddress: null, step: 'idle', ended: null })
})

test('a session without its wallet address buys no land and gets a message (S-74)', () => {
  const { buy } = renderHook(() => useBuyParcel({ parcelId: 'EU-FR', ownerWallet: null }))
  buy({ parcelId: 'EU-FR', owned: false } as LandParcel, cotton(100_000))
  expect(toasts.get().map(({ text }) => text)).toEqual(['Wallet address not found'])
})

test('a session without its wallet address neither buys nor cancels a listing (S-104)', () => {
  const sentence = 'Unable to determine wallet address. Please reconnect your wallet.'
  expect(mayPurchase({ sellerWalletAddress: 'somebody' } as Listing)).toBe(false)
  renderHook(() => useCancelListing('a listing')).cancel()
  expect(toasts.get().map(({ text }) => text)).toEqual([sentence, sentence])
})
