import '#web/api/browser-stub.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LISTING } from './listing-stub.ts'

Object.assign(window, { location: new URL('http://farm.test') })
const { endSession, startSession } = await import('#web/api/session.ts')
const { toasts } = await import('#web/ui/toast-store.ts')
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

/** Confirms the purchase of a listing in a dialog that is rendered without a browser. */
function confirmPurchase(id: string): void {
  const rendered: ReturnType<typeof usePurchase>[] = []
  const Dialog = () => {
    rendered.push(usePurchase(id))
    return null
  }
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <Dialog />
    </QueryClientProvider>,
  )
  rendered[0]!.purchase({ ...LISTING, id })
}

test('a purchase that has no answer yet does not occupy the dialogs of other listings', async () => {
  const sent: unknown[] = []
  const answers: (() => void)[] = []
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body))
    const refusal = { success: false, code: 'listing_gone', message: 'It is gone.' }
    return new Promise<Response>((resolve) =>
      answers.push(() => resolve(Response.json(refusal, { status: 409 }))),
    )
  })
  confirmPurchase('of france')
  confirmPurchase('of malta')
  await expect.poll(() => sent).toMatchObject([{ listingId: 'of france' }, { listingId: 'of malta' }])
  for (const answer of answers) answer()
  await expect.poll(() => toasts.get()).toHaveLength(2)
})
