import type * as z from 'zod/mini'
import type { RefusalCode } from './refusals.ts'

type Schema = z.ZodMiniType

/** Who may call: anyone, a player with a live session, or either. `either` may answer a player more than others. */
export type Audience = 'anyone' | 'player' | 'either'

/** The server has one rate limit for each class. */
export type RateClass = 'read' | 'login' | 'act' | 'chain'

/**
 * One route. The server serves it and the web app calls it from this declaration.
 * `keyed` routes take an `Idempotency-Key`: a repeated request with the same key and body has no second effect and gets
 * the stored response.
 */
export type Route<
  Params extends Schema | undefined = Schema | undefined,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Reply extends Schema = Schema,
  Auth extends Audience = Audience,
  Code extends RefusalCode = RefusalCode,
> = {
  method: 'GET' | 'POST'
  /** Parameters are written as `:name`. */
  path: `/api/${string}`
  summary: string
  auth: Auth
  rateClass: RateClass
  keyed: boolean
  /** Served on the local chain only. */
  localOnly?: boolean
  /** The reply is a CSV file and not JSON. */
  csv?: boolean
  params: Params
  query: Query
  body: Body
  reply: Reply
  /** The refusals that are specific to this route. `RefusalOf` adds those that any call may get. */
  refuses: readonly Code[]
}

type Declared<P, Q, B, R, A extends Audience, C extends RefusalCode> = {
  summary: string
  auth?: A
  rateClass?: RateClass
  keyed?: boolean
  localOnly?: boolean
  csv?: boolean
  params?: P
  query?: Q
  body?: B
  reply: R
  refuses?: readonly C[]
}

function declare<
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  R extends Schema = Schema,
  A extends Audience = 'anyone',
  C extends RefusalCode = never,
>(
  method: 'GET' | 'POST',
  path: `/api/${string}`,
  declared: Declared<P, Q, B, R, A, C>,
): Route<P, Q, B, R, A, C> {
  return {
    method,
    path,
    summary: declared.summary,
    auth: declared.auth ?? ('anyone' as A),
    rateClass: declared.rateClass ?? (method === 'GET' ? 'read' : 'act'),
    keyed: declared.keyed ?? false,
    localOnly: declared.localOnly ?? false,
    csv: declared.csv ?? false,
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
  C extends RefusalCode = never,
>(path: `/api/${string}`, declared: Declared<P, Q, undefined, R, A, C>): Route<P, Q, undefined, R, A, C> {
  return declare('GET', path, declared)
}

/** Declares a POST route. */
export function post<
  P extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  R extends Schema = Schema,
  A extends Audience = 'anyone',
  C extends RefusalCode = never,
>(path: `/api/${string}`, declared: Declared<P, undefined, B, R, A, C>): Route<P, undefined, B, R, A, C> {
  return declare('POST', path, declared)
}

type Parsed<S> = S extends Schema ? z.output<S> : undefined

/** The parsed parts of a call to this route. */
export type Call<R extends Route> = {
  params: Parsed<R['params']>
  query: Parsed<R['query']>
  body: Parsed<R['body']>
}

/** The body of a successful response. */
export type ReplyOf<R extends Route> = z.output<R['reply']>

/** Refusals that follow from how calls are authenticated, parsed, limited and repeated. Routes do not list them. */
export type ImpliedRefusal =
  | 'malformed'
  | 'not_authenticated'
  | 'tokens_disagree'
  | 'key_malformed'
  | 'key_reused'
  | 'foreign_origin'
  | 'too_large'
  | 'wrong_media_type'
  | 'too_many_requests'
  | 'busy'
  | 'unknown_outcome'
  | 'unexpected'

/** Every code that a call to this route may be refused with. */
export type RefusalOf<R extends Route> = R['refuses'][number] | ImpliedRefusal
