import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MOST_SESSIONS } from '#contract/console/players.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import { SessionsPanel, WorkersPanel } from './player-property.tsx'

const render = (moreWorkers: boolean): string =>
  renderToStaticMarkup(<WorkersPanel workers={[]} moreWorkers={moreWorkers} />)

test('sums that leave out pickers say so', () => {
  const { moreWorkers } = pageMessages.player
  expect(render(true)).toContain(moreWorkers)
  expect(render(false)).not.toContain(moreWorkers)
})

test('a list of sessions that may have left out older ones says so', () => {
  const at = '2026-01-05T12:00:00.000Z'
  const session = { device: 'Firefox', address: '192.0.2.0', createdAt: at, seenAt: at, active: true }
  const renderSessions = (count: number): string => {
    const sessions = Array.from({ length: count }, (_, index) => ({ ...session, id: String(index) }))
    return renderToStaticMarkup(<SessionsPanel sessions={sessions} wallet="ana" />)
  }
  expect(renderSessions(MOST_SESSIONS - 1)).toContain('>Sessions</h2>')
  expect(renderSessions(MOST_SESSIONS)).toContain('>The newest 50 sessions</h2>')
})
