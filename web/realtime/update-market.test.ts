import { QueryClient, QueryObserver } from '@tanstack/react-query'
import '#web/api/browser-stub.ts'
import { expect, test, vi } from 'vitest'
import {
  LISTINGS_KEY,
  latestMarketOpen,
  MY_LISTINGS_KEY,
  latestOpenContinents,
  SALES_KEY,
} from '#web/api/use-market-open.ts'
import { OWNED_LAND_KEY } from '#web/api/use-owned-land.ts'
import { updateMarket } from './update-market.ts'

test('a change of the market opens or closes it and invalidates its queries (S-96)', () => {
  const client = new QueryClient()
  const keys = [
    LISTINGS_KEY,
    [...SALES_KEY, 'EU-FR'],
    [...MY_LISTINGS_KEY, 'wallet'],
    [...OWNED_LAND_KEY, 'wallet'],
  ]
  for (const key of [...keys, ['user', 'wallet']]) client.setQueryData(key, [])
  const isOld = (key: readonly string[]) => client.getQueryState(key)?.isInvalidated

  expect(latestMarketOpen.get()).toBeNull()
  updateMarket(client, { open: true, openContinents: ['EU'], active: 3 })
  expect(latestMarketOpen.get()).toBe(true)
  expect(latestOpenContinents.get()).toEqual(['EU'])
  expect(keys.map(isOld)).toEqual([true, true, true, true])
  // Every player receives every trade; only buyer and seller must read their balance again.
  expect(isOld(['user', 'wallet'])).toBe(false)
  updateMarket(client, { open: false, openContinents: [], active: 3 })
  expect(latestMarketOpen.get()).toBe(false)
  expect(latestOpenContinents.get()).toEqual([])
})

test('changes that come faster than answers do not cancel a read, and the last one is read', async ({
  onTestFinished,
}) => {
  const client = new QueryClient()
  client.setQueryData(LISTINGS_KEY, [])
  const reads: { signal: AbortSignal; answer: (listings: readonly string[]) => void }[] = []
  const listings = new QueryObserver(client, {
    queryKey: LISTINGS_KEY,
    queryFn: ({ signal }) =>
      new Promise<readonly string[]>((answer) => {
        reads.push({ signal, answer })
      }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  onTestFinished(listings.subscribe(() => undefined))
  for (const active of [1, 2, 3]) updateMarket(client, { open: true, openContinents: ['EU'], active })
  expect(reads.map(({ signal }) => signal.aborted)).toEqual([false])
  reads[0]!.answer(['an older answer'])
  await expect.poll(() => reads).toHaveLength(2)
  reads[1]!.answer(['the newest answer'])
  await expect.poll(() => client.getQueryData(LISTINGS_KEY)).toEqual(['the newest answer'])
  expect(reads).toHaveLength(2)
})

test('however often the market changes, it is read once a second, and once more after the last change', async ({
  onTestFinished,
}) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const client = new QueryClient()
  onTestFinished(() => client.clear())
  client.setQueryData(LISTINGS_KEY, 0)
  let [changes, reads] = [0, 0]
  const listings = new QueryObserver(client, {
    queryKey: LISTINGS_KEY,
    queryFn: async () => {
      reads += 1
      return changes
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  onTestFinished(listings.subscribe(() => undefined))
  while (changes < 100) {
    changes += 1
    updateMarket(client, { open: true, openContinents: ['EU'], active: 1 })
    await vi.advanceTimersByTimeAsync(50)
    if (changes === 1) expect(reads).toBe(1)
  }
  await vi.advanceTimersByTimeAsync(2_000)
  expect(client.getQueryData(LISTINGS_KEY)).toBe(100)
  expect([5, 6]).toContain(reads)
})
