import * as z from 'zod/mini'
import { Instant } from '#contract/values.ts'
import { read } from './route.ts'
import { Cursor, pageOf } from './values.ts'

export const listLog = read('/api/console/log', {
  summary: 'What operators did and what was refused to them, newest first.',
  right: 'view',
  query: z.strictObject({
    /** A name or a wallet: the whole of it. */
    who: z.optional(z.string().check(z.regex(/^[^\p{Cc}]{1,100}$/u, 'is not a name'))),
    cursor: z.optional(Cursor),
  }),
  reply: pageOf(
    z.object({
      id: z.string(),
      at: Instant,
      /** The login of the database that wrote the line; null in lines of 0.1.0. */
      login: z.nullable(z.string()),
      who: z.string(),
      command: z.string(),
      arguments: z.record(z.string(), z.string()),
      reason: z.nullable(z.string()),
      outcome: z.string(),
    }),
  ),
})
