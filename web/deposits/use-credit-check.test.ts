import '#web/api/browser-stub.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { fetchNextHistoryPage } from '#web/api/history-stub.ts'

const { endSession, startSession } = await import('#web/api/session.ts')
const { recordSent, sentDeposits, showDeposit } = await import('./deposit-state.ts')
const { checkCredit, LOST_AFTER_MS, useCreditCheck } = await import('./use-credit-check.ts')

const ANA = 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi'
const BEN = '7fUAJdStEuGbc3sM84cKRL6yYaaSstyLSU4ve5oovLS7'
const AMOUNT = cotton(50_000)
const NOTHING = { success: true, newDeposit: false, amount: 0, newBalance: 0, pending: 0 }

/** Checks at this time after the deposit, and returns what the player sees. */
async function checkAt(ms: number, reply: object, client = new QueryClient()) {
  vi.setSystemTime(ms)
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(reply)))
  await checkCredit(client, { wallet: ANA, since: 0 })
  return sentDeposits.get().shown
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  startSession({ token: 'a token', walletAddress: ANA })
  showDeposit('nobody', { step: 'idle' })
  recordSent(ANA, AMOUNT, 0)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  showDeposit(null, { step: 'idle' })
  endSession('logged-out')
  localStorage.clear()
})

test('a deposit that is not on the chain in time is no longer waited for', async () => {
  const waiting = { step: 'waiting', amount: AMOUNT }
  expect(await checkAt(LOST_AFTER_MS, NOTHING)).toEqual(waiting)
  expect(await checkAt(LOST_AFTER_MS + 1, { ...NOTHING, pending: 50_000 })).toEqual(waiting)
  expect(await checkAt(LOST_AFTER_MS + 2, NOTHING)).toMatchObject({ step: 'failed', amount: AMOUNT })
  expect(sentDeposits.get().outstanding).toBe(0n)
})

test('a deposit that is credited late arrives', async () => {
  const credited = { ...NOTHING, newDeposit: true, amount: 50_000, newBalance: 50_000 }
  expect(await checkAt(LOST_AFTER_MS + 1, credited)).toEqual({ step: 'arrived', amount: AMOUNT })
})

test('a deposit that is credited does not stop the next page of the history', async () => {
  const client = new QueryClient()
  const expectNextPage = await fetchNextHistoryPage(client)
  await checkAt(1, { ...NOTHING, newDeposit: true, amount: 50_000, newBalance: 50_000 }, client)
  await expectNextPage()
})

test('a deposit that is reported while another player logs in arrives for the player who sent it', async () => {
  const credited = { ...NOTHING, newDeposit: true, amount: 50_000, newBalance: 50_000 }
  vi.stubGlobal('fetch', () => {
    startSession({ token: 'another token', walletAddress: BEN })
    return Promise.resolve(Response.json(credited))
  })
  await checkCredit(new QueryClient(), { wallet: ANA, since: 0 })
  expect(sentDeposits.get()).toMatchObject({ wallet: ANA, shown: { step: 'arrived', amount: AMOUNT } })
})

/** Whether the page of a deposit that was sent at 0 says that it takes long. */
function isSlow(checks: { dataUpdatedAt: number; errorUpdatedAt: number }): boolean {
  const client = new QueryClient()
  client
    .getQueryCache()
    .build(client, { queryKey: ['mine', 'deposit-check'] })
    .setState(checks)
  const rendered: boolean[] = []
  const Page = () => {
    rendered.push(useCreditCheck({ wallet: ANA, since: 0, enabled: true }))
    return null
  }
  renderToStaticMarkup(createElement(QueryClientProvider, { client }, createElement(Page)))
  return rendered[0]!
}

test('a deposit takes long after ninety seconds, also while every check fails', () => {
  const succeeded = (ms: number) => isSlow({ dataUpdatedAt: ms, errorUpdatedAt: 0 })
  expect([succeeded(90_000), succeeded(90_001)]).toEqual([false, true])
  const failed = (ms: number) => isSlow({ dataUpdatedAt: 0, errorUpdatedAt: ms })
  expect([failed(90_000), failed(90_001)]).toEqual([false, true])
})
