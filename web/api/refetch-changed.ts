import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query'

/** The queries that are read after a published change, and whether they have to be read once more afterwards. */
const reading = new WeakMap<Query, boolean>()

/**
 * Reads queries again after a published change. Unlike `invalidateQueries` it cancels no read that is under way: where
 * changes come faster than answers, none would ever end, and the next page that a reader asked for would not appear. Such
 * a query is read once more afterwards. So is one that was read less than `pauseMs` ago, when that time has passed.
 */
export function refetchChanged(
  client: QueryClient,
  filters: QueryFilters,
  { pauseMs = 0 }: { pauseMs?: number } = {},
): void {
  for (const query of client.getQueryCache().findAll(filters)) void refetch(client, query, pauseMs)
}

async function refetch(client: QueryClient, query: Query, pauseMs: number): Promise<void> {
  if (reading.has(query)) {
    reading.set(query, true)
    return
  }
  const { data, fetchStatus } = query.state
  // A read that began before the change may not contain it. The first one is not repeated: a socket that opens meanwhile
  // sends its first frames as changes.
  reading.set(query, data !== undefined && fetchStatus === 'fetching')
  const read = async (): Promise<void> => {
    await client.invalidateQueries({ predicate: (each) => each === query }, { cancelRefetch: false })
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  await read()
  while (reading.get(query)) {
    // A read that began during the pause is only waited for: it may be older than the change, or that of the next page. What
    // nobody shows may be fetching all the time, and there is no read to wait for.
    reading.set(query, pauseMs > 0 && query.isActive() && query.state.fetchStatus === 'fetching')
    await read()
  }
  reading.delete(query)
}
