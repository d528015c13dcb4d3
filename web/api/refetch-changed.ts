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
  const { data, fetchStatus } = query.state
  // A read that began before the change may not contain it. The first one is not repeated: a socket that opens meanwhile
  // sends its first frames as changes.
  reading.set(query, data !== undefined && fetchStatus === 'fetching')
  const read = () =>
    client.invalidateQueries({ predicate: (each) => each === query }, { cancelRefetch: false })
  await read()
  while (reading.get(query)) {
    // Its state does not decide this: what nobody shows may be fetching all the time, and there is no read to wait for.
    reading.set(query, false)
    await read()
  }
  reading.delete(query)
}
