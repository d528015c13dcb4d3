import type * as z from 'zod/mini'
import type { ConsoleRefusalCode } from './refusals.ts'
import type { Right } from './rights.ts'

type Schema = z.ZodMiniType
type Maybe = Schema | undefined

/**
 * What a caller needs. nobody: no session. by_act: a session; the right is the one that the act needs (`ACT_RIGHTS`).
 */
export type NeededRight = 'nobody' | Right | 'by_act'

/** The console has one rate limit for each class. */
export type ConsoleRateClass = 'read' | 'login' | 'act' | 'export'

/** One route of the console. The server serves it and the pages call it from this declaration. */
export type ConsoleRoute<
  Query extends Maybe = Maybe,
  Body extends Maybe = Maybe,
  Reply extends Schema = Schema,
> = {
  method: 'GET' | 'POST'
  path: `/api/console/${string}`
  summary: string
  right: NeededRight
  rateClass: ConsoleRateClass
  /** The reply is a CSV file and not JSON. */
  csv: boolean
  query: Query
  body: Body
  reply: Reply
  /** The refusals that are specific to this route. Any call may also get those of sessions, parsing and limits. */
  refuses: readonly ConsoleRefusalCode[]
}

type Declared<Reply> = {
  summary: string
  right: NeededRight
  rateClass?: ConsoleRateClass
  csv?: boolean
  reply: Reply
  refuses?: readonly ConsoleRefusalCode[]
}

const shared = <Reply>({ csv = false, refuses = [], ...rest }: Declared<Reply>) => ({ ...rest, csv, refuses })

/** Declares a GET route of the console. */
export const read = <Query extends Schema, Reply extends Schema>(
  path: `/api/console/${string}`,
  declared: Declared<Reply> & { query: Query },
): ConsoleRoute<Query, undefined, Reply> => ({
  method: 'GET',
  path,
  rateClass: 'read',
  ...shared(declared),
  query: declared.query,
  body: undefined,
})

/** Declares a POST route of the console. */
export const act = <Body extends Schema, Reply extends Schema>(
  path: `/api/console/${string}`,
  declared: Declared<Reply> & { body: Body },
): ConsoleRoute<undefined, Body, Reply> => ({
  method: 'POST',
  path,
  rateClass: 'act',
  ...shared(declared),
  query: undefined,
  body: declared.body,
})

type Parsed<S> = S extends Schema ? z.output<S> : undefined

/** The parsed parts of a call to this route. */
export type ConsoleCall<R extends ConsoleRoute> = { query: Parsed<R['query']>; body: Parsed<R['body']> }

/** The body of a successful response. */
export type ConsoleReply<R extends ConsoleRoute> = z.output<R['reply']>
