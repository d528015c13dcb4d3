import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { ClaimEffects } from '#web/api/use-claim-all.ts'
import { toasts } from '#web/ui/toast-store.ts'
import { ClaimAllButton } from './claim-all-button.tsx'

vi.mock('#web/api/use-claim-all.ts', () => ({
  useClaimAll: () => ({
    claim: ({ onFailed }: ClaimEffects) => onFailed(new Error('no answer')),
    claiming: false,
    resting: false,
  }),
}))

// It is pressed as soon as it is rendered.
vi.mock('#web/ui/button.tsx', () => ({
  Button: ({ onClick }: { onClick: () => void }) => {
    onClick()
    return null
  },
}))

test('a claim of everything after an absence fails with the sentence of the farm', () => {
  renderToStaticMarkup(<ClaimAllButton amount="5" />)
  expect(toasts.get().map(({ text }) => text)).toEqual(['Error claiming tokens: Failed to claim tokens'])
})
