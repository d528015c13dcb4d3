import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { readSheet } from '#tests/support/read-sheet.ts'
import type { Store } from '#web/store.ts'
import { topDialog } from './open-dialogs.ts'
import { showToast } from './toast-store.ts'
import { DialogToasts } from './toasts.tsx'

vi.mock('#web/store.ts', async (original) => ({
  ...(await original<object>()),
  useStore: <T,>(store: Store<T>): T => store.get(),
}))

let isHidden = false
vi.mock('./use-is-hidden.ts', () => ({ useIsHidden: () => isHidden }))

test('the topmost dialog has its live region before the first toast, because what comes with it is not read', () => {
  const render = () => renderToStaticMarkup(<DialogToasts dialog="the upper one" />)
  topDialog.set('the lower one')
  expect(render()).toBe('')
  topDialog.set('the upper one')
  expect(render()).toMatch(/^<section[^>]* aria-live="polite"><\/section>$/)
})

test('a toast waits while the page is in the background, where its time would pass unseen', () => {
  const render = () => renderToStaticMarkup(<DialogToasts dialog="any" />)
  topDialog.set('any')
  showToast({ kind: 'info', text: 'You have been logged out.' })
  isHidden = true
  expect(render()).not.toContain('You have been logged out.')
  isHidden = false
  expect(render()).toContain('You have been logged out.')
})

test('a press goes through a toast on every touch screen, also where the browser reports that a finger hovers', () => {
  const [, touch = ''] = readSheet('ui/toasts.module.css').split('@media (hover: none), (pointer: coarse) {')
  expect(touch).toMatch(/^\s+\.toast \{\s+pointer-events: none;/)
})
