import '#web/api/browser-stub.ts'
import { QueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { expect, test, vi } from 'vitest'
import { cotton, ZERO } from '#game/cotton.ts'
import { renderHook } from '#web/api/hook-stub.tsx'
import { session, startSession, storeUser } from '#web/api/session.ts'
import { Button } from '#web/ui/button.tsx'
import { WorkerOffer } from './worker-offer.tsx'

const calls = vi.hoisted((): string[] => [])

vi.mock('#web/ui/dialog-result.tsx', () => ({
  DialogResult: () => null,
  useDialogResult: () => ({ result: null, show: vi.fn(), clear: () => calls.push('clear') }),
}))
vi.mock('./use-hire.ts', () => ({
  useHire: () => ({ hire: () => calls.push('hire'), hiring: false, resting: false }),
}))

type OfferDialog = ReactElement<{
  actions: ReactElement<{
    children: readonly (ReactElement<{ onClick: () => void; ariaDisabled: boolean }> | null)[]
  }>
}>

const KID = {
  workerType: 'kid',
  name: 'Kid',
  maxSupply: 100,
  sold: 7,
  available: 93,
  progress: 7,
  price: cotton(50_000),
  generationRate: 5_000,
  image: '',
} as const

/** The button of the close-up. */
function renderButton(client?: QueryClient) {
  const props = { type: KID, isSample: false, owned: 1, onClose: () => undefined }
  const dialog = renderHook(() => WorkerOffer(props), client) as OfferDialog
  return dialog.props.actions.props.children.find((each) => each?.type === Button)?.props
}

test('a press in the close-up removes the result of the hire before', () => {
  renderButton()?.onClick()
  expect(calls).toEqual(['clear', 'hire'])
})

test('the balance of the last visit does not turn the button off, and the one that is read does', () => {
  const walletAddress = 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi'
  startSession({ token: 'a token', walletAddress })
  storeUser({ walletAddress, creditBalance: ZERO })
  vi.spyOn(session, 'getPrerendered').mockImplementation(session.get)
  const client = new QueryClient()
  expect(renderButton(client)?.ariaDisabled).toBe(false)
  client.setQueryData(['user', walletAddress], { walletAddress, creditBalance: ZERO })
  expect(renderButton(client)?.ariaDisabled).toBe(true)
})
