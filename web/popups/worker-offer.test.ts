import '#web/api/browser-stub.ts'
import type { ReactElement } from 'react'
import { expect, test, vi } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { renderHook } from '#web/api/hook-stub.tsx'
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
  actions: ReactElement<{ children: readonly (ReactElement<{ onClick: () => void }> | null)[] }>
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

test('a press in the close-up removes the result of the hire before', () => {
  const props = { type: KID, isSample: false, owned: 1, onClose: () => undefined }
  const dialog = renderHook(() => WorkerOffer(props)) as OfferDialog
  const button = dialog.props.actions.props.children.find((each) => each?.type === Button)
  button?.props.onClick()
  expect(calls).toEqual(['clear', 'hire'])
})
