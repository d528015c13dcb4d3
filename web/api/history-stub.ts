import { InfiniteQueryObserver, type QueryClient } from '@tanstack/react-query'
import { expect } from 'vitest'
import { HISTORY_KEY } from './history-key.ts'

/** Shows a history whose reader has asked for the next page. The check answers it, and expects that it appears. */
export async function fetchNextHistoryPage(client: QueryClient): Promise<() => Promise<void>> {
  const next = Promise.withResolvers<string>()
  const history = new InfiniteQueryObserver(client, {
    queryKey: [...HISTORY_KEY, 'wallet'],
    queryFn: ({ pageParam }) => (pageParam === 1 ? 'first' : next.promise),
    initialPageParam: 1,
    getNextPageParam: (_page, pages) => pages.length + 1,
    retry: false,
  })
  const stop = history.subscribe(() => undefined)
  await history.refetch()
  void history.fetchNextPage()
  return async () => {
    next.resolve('next')
    // Also what is read again afterwards.
    await expect.poll(() => client.isFetching()).toBe(0)
    stop()
    expect(history.getCurrentResult().data?.pages).toEqual(['first', 'next'])
  }
}
