import { rowOf, sql, type Statement } from '#server/platform/db/db.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

type Removal = Statement<{ before: Date; limit: number }, { removed: number }>

/** Rows of one kind that are removed after their lifetime. */
export type ExpiringRows = {
  name: string
  /** Counted from the time that `remove` compares. */
  lifetimeMs: number
  /** Removes the oldest rows, and returns their number. Skips locked rows. */
  remove: Removal
}

const PARAMS = { before: 'timestamptz', limit: 'integer' } as const
const row = rowOf<{ removed: number }>()

/** Deletes in the order of the index on `age`. A locked row is deleted in a later round. */
const removeOldest = (name: string, { table, age }: { table: string; age: string }): Removal =>
  sql({
    name,
    params: PARAMS,
    row,
    text: ({ before, limit }) =>
      `with gone as (
         delete from ${table} where ctid = any(array(
           select ctid from ${table} where ${age} < ${before} order by ${age} limit ${limit} for update skip locked
         )) returning 1
       ) select count(*)::int as removed from gone`,
  })

/** The same for sessions. The time when each player was last seen moves to `users`. */
const removeOldestSessions = (name: string, age: string): Removal =>
  sql({
    name,
    params: PARAMS,
    row,
    text: ({ before, limit }) =>
      `with gone as (
         delete from sessions where ctid = any(array(
           select ctid from sessions where ${age} < ${before} order by ${age} limit ${limit} for update skip locked
         )) returning wallet, seen_at
       ), seen as (
         update users u set seen_at = greatest(u.seen_at, g.seen_at)
         from (select wallet, max(seen_at) as seen_at from gone group by wallet) g where u.wallet = g.wallet
       ) select count(*)::int as removed from gone`,
  })

/**
 * All rows that expire, with their lifetimes. A client that repeats a request within the lifetime of its key gets the
 * stored response. After that the request acts a second time.
 */
export const EXPIRING_ROWS: readonly ExpiringRows[] = [
  {
    name: 'idempotency keys',
    lifetimeMs: 48 * HOUR_MS,
    remove: removeOldest('cleanup-keys', { table: 'idempotency_keys', age: 'at' }),
  },
  {
    // Players see them in their list, so that a thief who logs out leaves a trace.
    name: 'sessions that ended',
    lifetimeMs: 72 * HOUR_MS,
    remove: removeOldestSessions('cleanup-ended-sessions', 'ended_at'),
  },
  {
    // A session is valid for seven days at most.
    name: 'sessions that are too old',
    lifetimeMs: 7 * 24 * HOUR_MS + HOUR_MS,
    remove: removeOldestSessions('cleanup-old-sessions', 'created_at'),
  },
  {
    // A used nonce is stored until it is too old to be accepted.
    name: 'used login nonces',
    lifetimeMs: 10 * MINUTE_MS,
    remove: removeOldest('cleanup-nonces', { table: 'nonces', age: 'expires_at' }),
  },
  {
    // By then they do not count any more.
    name: 'failed logins',
    lifetimeMs: 10 * MINUTE_MS,
    remove: removeOldest('cleanup-login-failures', { table: 'login_failures', age: 'at' }),
  },
  {
    // A withdrawal stores its own copy of the nonce and the signature.
    name: 'withdrawal challenges',
    lifetimeMs: 10 * MINUTE_MS,
    remove: removeOldest('cleanup-challenges', { table: 'withdrawal_challenges', age: 'expires_at' }),
  },
  {
    name: 'deposits that nobody signed',
    lifetimeMs: 10 * MINUTE_MS,
    remove: removeOldest('cleanup-prepared-deposits', { table: 'prepared_deposits', age: 'at' }),
  },
]
