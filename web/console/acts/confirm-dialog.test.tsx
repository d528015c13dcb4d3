import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { AnnounceDialog } from '../pages/world/announce-dialog.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

const pressed = vi.hoisted(() => ({ running: false }))

vi.mock('#web/ui/press-once.ts', () => ({
  usePressOnce: () => ({ press: () => undefined, running: pressed.running, resting: false }),
}))
// It follows the clock of the browser, which a page without one does not have.
vi.mock('../shell/stale-notice.tsx', () => ({ useStaleSentence: () => null }))

const onClose = () => undefined
const freeze = { title: 'Freeze', text: '', confirm: 'Freeze now', reasonHint: '', onClose }

test.each([
  ['an act', <ConfirmDialog key="act" {...freeze} act={async () => ({ outcome: 'Frozen.' })} />],
  ['an announcement', <AnnounceDialog key="announcement" onClose={onClose} />],
])('%s that has been sent cannot be cancelled, as if nothing were done', (_, dialog) => {
  const cancelButton = (running: boolean): string | undefined => {
    pressed.running = running
    return /<button[^>]*><span>Cancel/.exec(renderToStaticMarkup(dialog))?.[0]
  }
  expect(cancelButton(false)).not.toContain('aria-disabled')
  expect(cancelButton(true)).toContain('aria-disabled="true"')
})
