import { type InfiniteData, QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { readLive } from '#contract/console/today.ts'
import type { ConsoleReply, ConsoleRoute } from '#contract/console/route.ts'
import { refetchChanged } from '#web/api/refetch-changed.ts'
import { type CallOptions, call } from './call.ts'
import { ConsoleError } from './console-error.ts'
import { session } from './session.ts'

/** The lists whose versions the console publishes. */
export type Topic = keyof ConsoleReply<typeof readLive>['versions']

const RETRIES = 2

const isWorthRetrying = (failures: number, error: Error): boolean =>
  failures < RETRIES && !(error instanceof ConsoleError && error.status >= 400 && error.status < 500)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { networkMode: 'always', staleTime: 2_000, retry: isWorthRetrying, refetchOnReconnect: true },
  },
})

// The next operator must not see what the last one has read.
session.subscribe(() => {
  if (session.get().token === null) queryClient.clear()
})

type ReadOptions = {
  /** Reads again when one of these has a new version. */
  topics?: readonly Topic[]
  /** Reads again after so many milliseconds. */
  everyMs?: number
  /** Shows the reply to the query before until the new one is there. Not for pages about one player. */
  showsPrevious?: boolean
}

/** Reads a route, and reads it again when what it shows has changed. */
export function useRead<R extends ConsoleRoute>(
  route: R,
  query: ConsoleQuery<R>,
  { topics = [], everyMs, showsPrevious = false }: ReadOptions = {},
) {
  return useQuery<ConsoleReply<R>>({
    queryKey: [route.path, query],
    queryFn: ({ signal }) => call(route, { query, signal } as unknown as CallOptions<R>),
    meta: { topics },
    refetchInterval: everyMs ?? false,
    ...(showsPrevious && { placeholderData: (previous) => previous }),
  })
}

type ConsoleQuery<R extends ConsoleRoute> = CallOptions<R> extends { query: infer Query } ? Query : never

type Page<Item> = { items: Item[]; next: string | null }

/** The element of a list that a route answers with. */
export type ItemOf<R extends ConsoleRoute> = ConsoleReply<R> extends Page<infer Item> ? Item : never

/** Reads a list page by page. All pages are read again when the list has changed. */
export function useList<R extends ConsoleRoute>(
  route: R,
  query: Omit<ConsoleQuery<R>, 'cursor'>,
  { topics = [], everyMs }: ReadOptions = {},
) {
  const read = useInfiniteQuery<
    Page<ItemOf<R>>,
    Error,
    InfiniteData<Page<ItemOf<R>>>,
    unknown[],
    string | null
  >({
    queryKey: [route.path, query, 'pages'],
    queryFn: async ({ pageParam, signal }) => {
      const paged = pageParam === null ? query : { ...query, cursor: pageParam }
      return (await call(route, { query: paged, signal } as unknown as CallOptions<R>)) as Page<ItemOf<R>>
    },
    initialPageParam: null,
    getNextPageParam: ({ next }) => next,
    meta: { topics },
    refetchInterval: everyMs ?? false,
  })
  return {
    ...read,
    data: read.data?.pages.flatMap(({ items }) => items),
    // The foot reports a next page that failed. What is shown is not older for it.
    error: read.isFetchNextPageError ? null : read.error,
    lastPage: read.data?.pages.at(-1),
    foot: {
      hasMore: read.hasNextPage,
      loading: read.isFetchingNextPage,
      failed: read.isFetchNextPageError,
      onMore: () => {
        if (!read.isFetchingNextPage) void read.fetchNextPage()
      },
      shown: read.data?.pages.reduce((sum, { items }) => sum + items.length, 0) ?? 0,
    },
  }
}

/**
 * Reads again what depends on these topics, and what shows old content because it could not be read when its topic changed:
 * the next change may be hours away.
 */
export function invalidate(topics: readonly Topic[]): void {
  refetchChanged(queryClient, {
    predicate: ({ meta, state: { status, data, fetchStatus } }) => {
      const own = meta?.topics
      if (!Array.isArray(own)) return false
      const isOutdated = status === 'error' && data !== undefined && fetchStatus === 'idle'
      return isOutdated || own.some((topic) => topics.includes(topic))
    },
  })
}
