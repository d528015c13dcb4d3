import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query'

/** The queries that are read after a published change, and whether they have to be read once more afterwards. */
const reading = new WeakMap<Query, boolean>()

/**
 * Reads queries again after a published change. Unlike `invalidateQueries` it cancels no read that is under way: where
 * changes come faster than answers, none would ever end, and the next page that a reader asked for would not appear. Such
 * a query is read once more afterwards.
 */
export function refetchChanged(client: QueryClient, filters: QueryFilters): void {
  for (const query of client.getQueryCache().findAll(filters)) void refetch(client, query)
}

async function refetch(client: QueryClient, query: Query): Promise<void> {
  if (reading.has(query)) {
    reading.set(query, true)
    return
  }
  do {
    const { data, fetchStatus } = query.state
    reading.set(query, data !== undefined && fetchStatus === 'fetching')
    await client.invalidateQueries({ predicate: (each) => each === query }, { cancelRefetch: false })
  } while (reading.get(query))
  reading.delete(query)
}
