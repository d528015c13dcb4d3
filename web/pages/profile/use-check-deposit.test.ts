import '#web/api/browser-stub.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { fetchNextHistoryPage } from '#web/api/history-stub.ts'
import { renderHook } from '#web/api/hook-stub.tsx'
import { depositMessages } from '#web/messages/en-deposit.ts'
import { toasts } from '#web/ui/toast-store.ts'

const { endSession, startSession } = await import('#web/api/session.ts')
const { useCheckDeposit } = await import('./use-check-deposit.ts')

const NOTHING = { success: true, newDeposit: false, amount: 0, newBalance: 0, pending: 0 }

afterEach(() => {
  vi.unstubAllGlobals()
  toasts.set([])
  endSession('logged-out')
  localStorage.clear()
})

test('a check for deposits does not stop the next page of the history', async () => {
  startSession({ token: 'a token', walletAddress: 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi' })
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(NOTHING)))
  const client = new QueryClient()
  const expectNextPage = await fetchNextHistoryPage(client)
  renderHook(useCheckDeposit, client).check()
  await expect.poll(() => toasts.get().map(({ title }) => title)).toContain(depositMessages.noneTitle)
  await expectNextPage()
})
