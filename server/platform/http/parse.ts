import type * as z from 'zod/mini'
import { config } from 'zod/mini'
import { en } from 'zod/locales'
import { refuse } from '#server/platform/answer.ts'

config(en())

/** Parses a value by its schema. Refuses with `malformed` and the name of the first invalid field. Coerces nothing. */
export function parseOrRefuse<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const field = [...issue.path, ...unknown].map(String).join('.').slice(0, 100) || 'body'
  return refuse('malformed', { field, problem: unknown.length > 0 ? 'is not expected here' : issue.message })
}

const MAX_CACHED_QUERIES = 500
const MAX_CACHED_QUERY_LENGTH = 100

/** Creates a parser for the query string of a route. It caches recent query strings. */
export function createQueryReader<S extends z.ZodMiniType>(schema: S) {
  const cache = new Map<string, z.output<S>>()
  return ({ url, query }: { url: string; query: unknown }): z.output<S> => {
    // Where the router splits it, or a caller could store a query under the name of another one. Node lets `#` pass.
    const queryString = url.slice(url.search(/[?#]/) + 1)
    const cached = cache.get(queryString)
    if (cached !== undefined) return cached
    const value = parseOrRefuse(schema, query)
    if (cache.size >= MAX_CACHED_QUERIES) cache.clear()
    if (queryString.length <= MAX_CACHED_QUERY_LENGTH) cache.set(queryString, value)
    return value
  }
}
