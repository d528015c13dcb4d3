import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { serverClock } from '#web/api/server-clock.ts'
import { AnnounceDialog } from './announce-dialog.tsx'
import { toLocal } from './local-time.ts'

// It follows the clock of the browser, which a page without one does not have.
vi.mock('../../shell/stale-notice.tsx', () => ({ useStaleSentence: () => null }))

const HOUR_MS = 3_600_000

const setServerClock = (serverSecondMs: number): void =>
  serverClock.addSample({ serverSecondMs, sentAtMs: Date.now(), receivedAtMs: Date.now() })

afterEach(() => setServerClock(Date.now()))

test('an announcement starts now by the clock of the game, whatever the operator’s says', () => {
  // Ten minutes past an hour: no hour ends during the test.
  const now = Math.ceil(Date.now() / HOUR_MS + 5) * HOUR_MS + HOUR_MS / 6
  setServerClock(now)
  const html = renderToStaticMarkup(<AnnounceDialog onClose={() => undefined} />)
  const hour = (instantMs: number): string => toLocal(instantMs).slice(0, 13)
  expect(html).toContain(`value="${hour(now)}`)
  expect(html).toContain(`value="${hour(now + 24 * HOUR_MS)}`)
})
