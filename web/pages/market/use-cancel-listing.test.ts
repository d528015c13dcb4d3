import '#web/api/browser-stub.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listParcel } from '#contract/market.ts'
import { cotton } from '#game/cotton.ts'
import { renderHook } from '#web/api/hook-stub.tsx'

Object.assign(window, { location: new URL('http://farm.test') })
const { call } = await import('#web/api/call.ts')
const { endSession, startSession } = await import('#web/api/session.ts')
const { toasts } = await import('#web/ui/toast-store.ts')
const { useCancelListing } = await import('./use-cancel-listing.ts')

beforeEach(() => {
  toasts.set([])
  startSession({ token: 'of ben', walletAddress: 'ben' })
})

afterEach(() => {
  vi.unstubAllGlobals()
  endSession('logged-out')
  toasts.set([])
})

test('land that was listed without a response, and whose listing was cancelled, is listed anew', async () => {
  const keys: (string | null)[] = []
  vi.stubGlobal('fetch', (url: string, { headers }: { headers: Headers }) => {
    if (url !== listParcel.path) return Promise.resolve(Response.json({ success: true, message: '' }))
    keys.push(headers.get('idempotency-key'))
    return Promise.resolve(new Response(null, { status: 500 }))
  })
  const list = () =>
    call(listParcel, { body: { parcelId: 'EU-MT', price: cotton(1_000), walletAddress: 'ben' } })
  await expect(list()).rejects.toThrow()
  await expect(list()).rejects.toThrow()
  renderHook(() => useCancelListing('a listing')).cancel()
  await expect.poll(() => toasts.get()).toMatchObject([{ kind: 'success' }])
  await expect(list()).rejects.toThrow()
  expect(keys.map((key) => keys.indexOf(key))).toEqual([0, 0, 2])
})
