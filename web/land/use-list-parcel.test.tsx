import '#web/api/browser-stub.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { endSession, startSession } from '#web/api/session.ts'
import { toasts } from '#web/ui/toast-store.ts'
import { useListParcel } from './use-list-parcel.ts'

beforeEach(() => {
  toasts.set([])
  startSession({ token: 'of ben', walletAddress: 'ben' })
})

afterEach(() => {
  vi.unstubAllGlobals()
  endSession('logged-out')
  toasts.set([])
})

/** Confirms the listing of a parcel in a dialog that is rendered without a browser. */
function confirmListing(parcelId: string): void {
  const rendered: ReturnType<typeof useListParcel>[] = []
  const Dialog = () => {
    rendered.push(useListParcel(parcelId, () => undefined))
    return null
  }
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <Dialog />
    </QueryClientProvider>,
  )
  rendered[0]!.list({ name: parcelId, price: cotton(5) })
}

test('a listing that has no answer yet does not occupy the dialogs of other land', async () => {
  const sent: unknown[] = []
  const answers: (() => void)[] = []
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body))
    const refusal = { success: false, code: 'already_listed', message: 'It is listed.' }
    return new Promise<Response>((resolve) =>
      answers.push(() => resolve(Response.json(refusal, { status: 409 }))),
    )
  })
  confirmListing('EU-FR')
  confirmListing('EU-MT')
  await expect.poll(() => sent).toMatchObject([{ parcelId: 'EU-FR' }, { parcelId: 'EU-MT' }])
  for (const answer of answers) answer()
  await expect.poll(() => toasts.get()).toHaveLength(2)
})
