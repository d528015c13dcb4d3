import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { consoleMessages } from '#web/messages/en-console.ts'
import { PlayerFlows } from './player-history.tsx'

vi.mock('../../api/queries.ts', () => {
  const foot = { hasMore: true, loading: false, failed: false, onMore: () => undefined, shown: 50 }
  return { useList: () => ({ data: [], error: null, foot }) }
})

test('a player with more open withdrawals or deposits than one page has a button for the next one', () => {
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <PlayerFlows wallet="ana" />
    </MemoryRouter>,
  )
  expect(html.split(consoleMessages.more)).toHaveLength(3)
})
