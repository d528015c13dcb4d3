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
  expect(invalidate.mock.calls.length).toBeLessThanOrEqual(2)
})
