import type * as z from 'zod/mini'
import type { RefusalCode } from './refusals.ts'

type Schema = z.ZodMiniType

/** Who may call: anyone, a player with a live session, or either of them, who then may see different things. */
export type Audience = 'anyone' | 'player' | 'either'

/** How freely a route may be called; the server gives each kind its rate limit. */
export type RateClass = 'read' | 'login' | 'act' | 'chain'

/**
 * One route, declared once: the server serves it and the web calls it from this declaration.
 * `keyed` routes take an `Idempotency-Key`: the same key and body get the same answer, once.
 */
export type Route<
  Params extends Schema | undefined = Schema | undefined,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Reply extends Schema = Schema,
  Auth extends Audience = Audience,
> = {
  method: 'GET' | 'POST'
  /** With `:name` where a parameter stands. */
  path: `/api/${string}`
  summary: string
  auth: Auth
  rateClass: RateClass
  keyed: boolean
  /** Present on the local chain only. */
  localOnly?: boolean
  params: Params
  query: Query
  body: Body
  reply: Reply
  refuses: readonly RefusalCode[]
}

type Declared<P, Q, B, R, A extends Audience> = {
  summary: string
  auth?: A
  rateClass?: RateClass
  keyed?: boolean
  localOnly?: boolean
  params?: P
  query?: Q
  body?: B
  reply: R
  refuses?: readonly RefusalCode[]
}

function declare<
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  R extends Schema = Schema,
  A extends Audience = 'anyone',
>(method: 'GET' | 'POST', path: `/api/${string}`, declared: Declared<P, Q, B, R, A>): Route<P, Q, B, R, A> {
  return {
    method,
    path,
    summary: declared.summary,
    auth: declared.auth ?? ('anyone' as A),
    rateClass: declared.rateClass ?? (method === 'GET' ? 'read' : 'act'),
    keyed: declared.keyed ?? false,
    localOnly: declared.localOnly ?? false,
    params: declared.params as P,
    query: declared.query as Q,
    body: declared.body as B,
    reply: declared.reply,
    refuses: declared.refuses ?? [],
  }
}

/** Declares a GET route. */
export function get<
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  R extends Schema = Schema,
  A extends Audience = 'anyone',
>(path: `/api/${string}`, declared: Declared<P, Q, undefined, R, A>): Route<P, Q, undefined, R, A> {
  return declare('GET', path, declared)
}

/** Declares a POST route. */
export function post<
  P extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  R extends Schema = Schema,
  A extends Audience = 'anyone',
>(path: `/api/${string}`, declared: Declared<P, undefined, B, R, A>): Route<P, undefined, B, R, A> {
  return declare('POST', path, declared)
}

type Parsed<S> = S extends Schema ? z.output<S> : undefined

/** What the server reads of a call to this route. */
export type Call<R extends Route> = {
  params: Parsed<R['params']>
  query: Parsed<R['query']>
  body: Parsed<R['body']>
}

/** What the route answers when it does not refuse. */
export type ReplyOf<R extends Route> = z.output<R['reply']>
