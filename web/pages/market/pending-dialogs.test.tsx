import '#web/api/browser-stub.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { renderHook } from '#web/api/hook-stub.tsx'
import { LISTING } from './listing-stub.ts'

Object.assign(window, { location: new URL('http://farm.test') })
const { endSession, startSession } = await import('#web/api/session.ts')
const { toasts } = await import('#web/ui/toast-store.ts')
const { useListParcel } = await import('#web/land/use-list-parcel.ts')
const { usePurchase } = await import('./use-purchase.ts')

beforeEach(() => {
  toasts.set([])
  startSession({ token: 'of ben', walletAddress: 'ben' })
})

afterEach(() => {
  vi.unstubAllGlobals()
  endSession('logged-out')
  toasts.set([])
})

const buy = (id: string) => renderHook(() => usePurchase(id)).purchase({ ...LISTING, id })
const list = (id: string) =>
  renderHook(() => useListParcel(id, () => undefined)).list({ name: id, price: cotton(5) })

test.each([
  ['a purchase', 'listings', buy, 'listingId', 'listing_gone'],
  ['a listing', 'land', list, 'parcelId', 'already_listed'],
])(
  '%s that has no answer yet does not occupy the dialogs of other %s',
  async (_, _of, confirm, key, code) => {
    const sent: unknown[] = []
    const answers: (() => void)[] = []
    vi.stubGlobal('fetch', (_url: string, { body }: { body: string }) => {
      sent.push(JSON.parse(body))
      const refusal = { success: false, code, message: 'Refused.' }
      return new Promise<Response>((resolve) =>
        answers.push(() => resolve(Response.json(refusal, { status: 409 }))),
      )
    })
    confirm('EU-FR')
    confirm('EU-MT')
    await expect.poll(() => sent).toMatchObject([{ [key]: 'EU-FR' }, { [key]: 'EU-MT' }])
    for (const answer of answers) answer()
    await expect.poll(() => toasts.get()).toHaveLength(2)
  },
)
