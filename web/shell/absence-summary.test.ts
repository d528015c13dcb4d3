import '#web/api/browser-stub.ts'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { renderHook } from '#web/api/hook-stub.tsx'
import { endSession, startSession } from '#web/api/session.ts'
import { AbsenceSummary } from './absence-summary.tsx'
import { AWAY_MS, storeLastSeen } from './last-seen.ts'

const ANA = 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi'

const REPLIES: Record<string, object> = {
  '/api/users/last-seen': { success: true, elsewhereAt: null },
  '/api/users/withdrawals': { success: true, withdrawals: [], next: null },
  '/api/users/history?limit=100': { success: true, items: [], next: null, pending: [] },
}

afterEach(() => {
  vi.unstubAllGlobals()
  endSession('logged-out')
  localStorage.clear()
})

test('the summary of an absence stays when all data is read again after an outage', async () => {
  startSession({ token: 'a token', walletAddress: ANA })
  vi.stubGlobal('fetch', (path: string) => Promise.resolve(Response.json(REPLIES[path])))
  const since = Date.now() - 2 * AWAY_MS
  storeLastSeen(ANA, since)
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  renderHook(() => AbsenceSummary({ walletAddress: ANA, since }), client)
  const queryKey = ['mine', 'absence', ANA, since]
  const shown = new QueryObserver(client, { ...client.getQueryCache().find({ queryKey })!.options, queryKey })
  const stop = shown.subscribe(() => undefined)
  await expect.poll(() => shown.getCurrentResult().isFetching).toBe(false)
  expect(shown.getCurrentResult().data).toMatchObject({ events: [] })
  await client.invalidateQueries()
  expect(shown.getCurrentResult().data).toMatchObject({ events: [] })
  stop()
})
