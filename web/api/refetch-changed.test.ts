import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { refetchChanged } from './refetch-changed.ts'

test('a change ends, also while a query is fetched that nobody shows', async ({ onTestFinished }) => {
  const client = new QueryClient()
  onTestFinished(() => client.clear())
  const queryKey = ['listings']
  client.setQueryData(queryKey, [])
  const queryFn = () => new Promise<string[]>(() => undefined)
  const leave = new QueryObserver(client, { queryKey, queryFn, staleTime: 0 }).subscribe(() => undefined)
  leave()
  expect(client.getQueryState(queryKey)).toMatchObject({ data: [], fetchStatus: 'fetching' })
  const invalidate = vi.spyOn(client, 'invalidateQueries')
  // Without an end nothing else would run, not even this test.
  const never = new Promise<void>(() => undefined)
  invalidate.mockImplementation(() => (invalidate.mock.calls.length < 10 ? Promise.resolve() : never))
  refetchChanged(client, { queryKey })
  await new Promise((resolve) => setTimeout(resolve))
  // What is being fetched, and once more what may have changed meanwhile.
  expect(invalidate).toHaveBeenCalledTimes(2)
})

test('a change during the pause is read, also if an older read is under way when the pause ends', async ({
  onTestFinished,
}) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const client = new QueryClient()
  onTestFinished(() => client.clear())
  const queryKey = ['listings']
  client.setQueryData(queryKey, 0)
  let newest = 1
  const queryFn = () =>
    new Promise<number>((answer) => {
      const read = newest
      setTimeout(() => answer(read), 800)
    })
  const listings = new QueryObserver(client, { queryKey, queryFn, staleTime: Number.POSITIVE_INFINITY })
  onTestFinished(listings.subscribe(() => undefined))
  refetchChanged(client, { queryKey }, { pauseMs: 1_000 })
  // The first read has ended at 0.8 s, and the pause ends at 1.8 s. Meanwhile a page reads by itself.
  await vi.advanceTimersByTimeAsync(1_500)
  void client.refetchQueries({ queryKey })
  await vi.advanceTimersByTimeAsync(100)
  newest = 2
  refetchChanged(client, { queryKey }, { pauseMs: 1_000 })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(client.getQueryData(queryKey)).toBe(2)
})
