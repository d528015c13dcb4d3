import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { SignDialog } from './sign-dialog.tsx'
import type { Phase } from './signing-phase.ts'

const dialog = vi.hoisted(() => ({ phase: {}, close: () => undefined as void }))

vi.mock('./use-signed-act.ts', () => ({ useSignedAct: () => ({ phase: dialog.phase }) }))
vi.mock('#web/ui/dialog.tsx', () => ({
  Dialog: ({ onClose }: { onClose: () => void }) => {
    dialog.close = onClose
    return null
  },
}))
// It follows the clock of the browser, which a page without one does not have.
vi.mock('../shell/stale-notice.tsx', () => ({ useStaleSentence: () => null }))

const prepared = { message: 'Approve.', nonce: 'a nonce', expiresAt: '2026-01-05T12:00:00Z', waiting: null }

test('the dialog of an act cannot be closed while its signature is submitted, as if nothing were done', () => {
  const closes = (phase: Phase): boolean => {
    dialog.phase = phase
    const onClose = vi.fn()
    const readAct = () => ({ problem: '' })
    renderToStaticMarkup(<SignDialog title="Approve" text="" readAct={readAct} onClose={onClose} />)
    dialog.close()
    return onClose.mock.calls.length > 0
  }
  expect(closes({ name: 'submitting', prepared })).toBe(false)
  // A wallet may never answer, and what the signer does it does without the dialog.
  expect(closes({ name: 'signing', prepared })).toBe(true)
  expect(closes({ name: 'executing', why: null })).toBe(true)
})
