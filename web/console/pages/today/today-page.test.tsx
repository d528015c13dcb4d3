import '#web/api/browser-stub.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { consoleMessages } from '#web/messages/en-console.ts'
import { TodayPage } from './today-page.tsx'

const pause = vi.hoisted(() => ({ id: 'a pause', reason: 'An audit.', since: '2026-01-05T12:00:00.000Z' }))

vi.mock('../../api/queries.ts', () => {
  const today = {
    at: '2026-01-05T12:00:00.000Z',
    problems: [],
    queue: [],
    pause,
    reserve: { standing: 'covered', at: null, surplus: null },
    budget: { total: '0', used: '0' },
    pendingDeposits: 0,
    waitingActs: 0,
  }
  const useRead = ({ path }: { path: string }) => ({
    data: path.endsWith('/today') ? today : undefined,
    error: null,
    isFetched: true,
    isPlaceholderData: false,
  })
  return { useRead, queryClient: {} }
})

test('the first page says why withdrawals are paused', () => {
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <TodayPage />
    </MemoryRouter>,
  )
  expect(html).toContain(consoleMessages.paused(pause.reason))
})
