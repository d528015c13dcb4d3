import './browser-stub.ts'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { claimAllWorkers, purchaseWorker } from '#contract/workers.ts'
import { cotton } from '#game/cotton.ts'
import { HISTORY_KEY } from './history-key.ts'
import { fetchNextHistoryPage } from './history-stub.ts'
import { renderHook } from './hook-stub.tsx'

const { call, callerOf } = await import('./call.ts')
const { endSession, readStoredBalance, session, startSession, storeUser } = await import('./session.ts')
const { setBalance, useBalance, useKnownBalance, userQuery } = await import('./use-balance.ts')
const { addOwnedWorker, OWNED_WORKERS_KEY } = await import('./use-owned-workers.ts')
const { usePlayerFacts } = await import('#web/shell/use-player-facts.ts')

const ANA = 'HCEj4FZ3yRg6mXfH2J3oWc8nKp1vTq5sLd7uBaYe2iPi'
const BEN = '7fUAJdStEuGbc3sM84cKRL6yYaaSstyLSU4ve5oovLS7'
const WORKER = { workerId: 'kid-0001', workerType: 'kid' } as const

afterEach(() => {
  vi.unstubAllGlobals()
  endSession('logged-out')
})

test('a reply that arrives after another player has logged in belongs to the player who called', async () => {
  const client = new QueryClient()
  for (const wallet of [ANA, BEN]) {
    client.setQueryData(['user', wallet], { walletAddress: wallet, creditBalance: cotton(5) })
    client.setQueryData([...OWNED_WORKERS_KEY, wallet], [])
  }
  startSession({ token: 'of ana', walletAddress: ANA })
  vi.stubGlobal('fetch', () => {
    startSession({ token: 'of ben', walletAddress: BEN })
    return Promise.resolve(Response.json({ success: true, worker: WORKER, message: '', newBalance: 70 }))
  })

  const reply = await call(purchaseWorker, { body: { workerType: 'kid', walletAddress: ANA } })
  setBalance(client, reply)
  addOwnedWorker(client, callerOf(reply), WORKER)
  const known = [ANA, BEN].map((wallet) => [
    client.getQueryData(['user', wallet]),
    client.getQueryData([...OWNED_WORKERS_KEY, wallet]),
  ])
  expect(known).toMatchObject([
    [{ creditBalance: cotton(70) }, [WORKER]],
    [{ creditBalance: cotton(5) }, []],
  ])
  expect(readStoredBalance(BEN)).toBeUndefined()
})

test('the balance is read after a call that was sent again, because its stored response may be older', async () => {
  startSession({ token: 'of ana', walletAddress: ANA })
  const hire = (workerType: 'kid' | 'grandma') =>
    call(purchaseWorker, { body: { workerType, walletAddress: ANA } })
  const replies: Response[] = []
  const lost = (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'))
  vi.stubGlobal('fetch', () => (replies.length > 0 ? Promise.resolve(replies.shift()!) : lost()))
  const client = new QueryClient()
  const setLate = async (reply: ReturnType<typeof hire>) => {
    client.setQueryData(['user', ANA], { walletAddress: ANA, creditBalance: cotton(20) })
    setBalance(client, await reply)
    expect(client.getQueryData(['user', ANA])).toMatchObject({ creditBalance: cotton(20) })
    expect(client.getQueryState(['user', ANA])?.isInvalidated).toBe(true)
  }
  const hired = () => Response.json({ success: true, worker: WORKER, message: '', newBalance: 70 })

  // By the player, after an answer that says nothing.
  replies.push(Response.json({}, { status: 500 }))
  await expect(hire('kid')).rejects.toMatchObject({ code: 'unreadable', status: 500 })
  replies.push(hired())
  await setLate(hire('kid'))

  // By the page itself.
  const repeated = hire('grandma')
  replies.push(hired())
  await setLate(repeated)
})

test('of two calls that overlap, the reply that arrives last does not set an older balance', async () => {
  startSession({ token: 'of ana', walletAddress: ANA })
  const client = new QueryClient()
  client.setQueryData(['user', ANA], { walletAddress: ANA, creditBalance: cotton(0) })
  const answers = new Map<string, (response: Response) => void>()
  vi.stubGlobal(
    'fetch',
    (_: string, { body }: { body: string }) =>
      new Promise<Response>((resolve) => answers.set(JSON.parse(body).workerType, resolve)),
  )
  const claim = (workerType: 'kid' | 'grandma') => call(claimAllWorkers, { body: { workerType } })
  const [kids, grandmas] = [claim('kid'), claim('grandma')]
  const claimed = (newBalance: number) =>
    Response.json({ success: true, claimedAmount: 1, claimedWorkers: 1, newBalance })
  answers.get('grandma')!(claimed(18_000))
  setBalance(client, await grandmas)
  answers.get('kid')!(claimed(5_000))
  setBalance(client, await kids)
  expect(client.getQueryData(['user', ANA])).toMatchObject({ creditBalance: cotton(18_000) })
  expect(client.getQueryState(['user', ANA])?.isInvalidated).toBe(true)

  // One that is sent afterwards knows more.
  const later = claim('kid')
  answers.get('kid')!(claimed(20_000))
  setBalance(client, await later)
  expect(client.getQueryData(['user', ANA])).toMatchObject({ creditBalance: cotton(20_000) })
})

test('a read that was sent before a purchase does not replace the balance after it', async () => {
  startSession({ token: 'of ana', walletAddress: ANA })
  const client = new QueryClient()
  client.setQueryData(['user', ANA], { walletAddress: ANA, creditBalance: cotton(120) })
  const late = Promise.withResolvers<Response>()
  const hired = Response.json({ success: true, worker: WORKER, message: '', newBalance: 70 })
  vi.stubGlobal('fetch', (url: string) =>
    url.startsWith('/api/users/wallet/') ? late.promise : Promise.resolve(hired),
  )
  const reading = new QueryObserver(client, userQuery(ANA)).refetch()
  setBalance(client, await call(purchaseWorker, { body: { workerType: 'kid', walletAddress: ANA } }))
  late.resolve(Response.json({ walletAddress: ANA, creditBalance: 120, frozen: null }))
  await reading
  expect(client.getQueryData(['user', ANA])).toMatchObject({ creditBalance: cotton(70) })
})

test('the history is read again when the balance has changed, also if no call of the page has changed it', async () => {
  startSession({ token: 'of ana', walletAddress: ANA })
  const client = new QueryClient()
  client.setQueryData(['user', ANA], { walletAddress: ANA, creditBalance: cotton(20) })
  const balance = new QueryObserver(client, userQuery(ANA))
  const readsHistoryAfter = async (reply: object, act: () => Promise<unknown>) => {
    client.setQueryData([...HISTORY_KEY, ANA], 'read before')
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json(reply)))
    await act()
    return client.getQueryState([...HISTORY_KEY, ANA])?.isInvalidated
  }
  const readAs = (creditBalance: number) =>
    readsHistoryAfter({ walletAddress: ANA, creditBalance, frozen: null }, () => balance.refetch())
  const hireWith = (newBalance: number) =>
    readsHistoryAfter({ success: true, worker: WORKER, message: '', newBalance }, async () =>
      setBalance(client, await call(purchaseWorker, { body: { workerType: 'kid', walletAddress: ANA } })),
    )

  expect(await readAs(20)).toBe(false)
  expect(await readAs(25)).toBe(true)
  expect(await hireWith(5)).toBe(true)
  expect(await readAs(5)).toBe(false)
})

test('a balance that changes does not stop the next page of the history', async () => {
  startSession({ token: 'of ana', walletAddress: ANA })
  const client = new QueryClient()
  client.setQueryData(['user', ANA], { walletAddress: ANA, creditBalance: cotton(20) })
  const expectNextPage = await fetchNextHistoryPage(client)
  vi.stubGlobal('fetch', () =>
    Promise.resolve(Response.json({ walletAddress: ANA, creditBalance: 25, frozen: null })),
  )
  await new QueryObserver(client, userQuery(ANA)).refetch()
  await expectNextPage()
})

test('the balance of the last visit is shown until the balance is read, and decides nothing', () => {
  startSession({ token: 'of ana', walletAddress: ANA })
  storeUser({ walletAddress: ANA, creditBalance: cotton(5) })
  vi.spyOn(session, 'getPrerendered').mockImplementation(session.get)
  const client = new QueryClient()
  const read = () => [
    renderHook(useBalance, client),
    renderHook(useKnownBalance, client),
    renderHook(usePlayerFacts, client).balance,
  ]
  expect(read()).toEqual([cotton(5), undefined, undefined])
  client.setQueryData(['user', ANA], { walletAddress: ANA, creditBalance: cotton(70) })
  expect(read()).toEqual([cotton(70), cotton(70), cotton(70)])
})
