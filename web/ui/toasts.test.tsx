import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { Store } from '#web/store.ts'
import { topDialog } from './open-dialogs.ts'
import { DialogToasts } from './toasts.tsx'

vi.mock('#web/store.ts', async (original) => ({
  ...(await original<object>()),
  useStore: <T,>(store: Store<T>): T => store.get(),
}))

test('the topmost dialog has its live region before the first toast, because what comes with it is not read', () => {
  const render = () => renderToStaticMarkup(<DialogToasts dialog="the upper one" />)
  topDialog.set('the lower one')
  expect(render()).toBe('')
  topDialog.set('the upper one')
  expect(render()).toMatch(/^<section[^>]* aria-live="polite"><\/section>$/)
})
