import type * as z from 'zod/mini'
import { config } from 'zod/mini'
import { en } from 'zod/locales'
import { refuse } from '#server/platform/answer.ts'

config(en())

/** The value as its schema reads it; refuses as malformed, naming the first field that is wrong. Nothing is coerced. */
export function parsed<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const field = [...issue.path, ...unknown].map(String).join('.').slice(0, 100) || 'body'
  return refuse('malformed', { field, problem: unknown.length > 0 ? 'is not expected here' : issue.message })
}
