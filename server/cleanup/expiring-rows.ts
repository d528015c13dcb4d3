import { type Sql, sql } from '#server/platform/db/db.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Rows of one kind that nobody needs after their lifetime. */
export type ExpiringRows = {
  name: string
  /** How long they stay, from the moment that `remove` compares. */
  lifetimeMs: number
  /** Removes at most `$2` rows older than `$1`, the oldest first, and answers how many as `removed`. Waits for no lock. */
  remove: Sql
}

/** Removes along an index by age. A row that somebody else has locked has its turn later. */
const removeOldest = (name: string, { table, age }: { table: string; age: string }): Sql =>
  sql(
    name,
    `with gone as (
       delete from ${table} where ctid = any(array(
         select ctid from ${table} where ${age} < $1 order by ${age} limit $2 for update skip locked
       )) returning 1
     ) select count(*)::int as removed from gone`,
  )

/** The same for sessions: when their players were last seen is remembered. */
const removeOldestSessions = (name: string, age: string): Sql =>
  sql(
    name,
    `with gone as (
       delete from sessions where ctid = any(array(
         select ctid from sessions where ${age} < $1 order by ${age} limit $2 for update skip locked
       )) returning wallet, seen_at
     ), seen as (
       update users u set seen_at = greatest(u.seen_at, g.seen_at)
       from (select wallet, max(seen_at) as seen_at from gone group by wallet) g where u.wallet = g.wallet
     ) select count(*)::int as removed from gone`,
  )

/**
 * Everything that is removed after a while, and after how long. A client that repeats a request within the lifetime of
 * its key gets the answer that it missed; afterwards it may act a second time.
 */
export const EXPIRING_ROWS: readonly ExpiringRows[] = [
  {
    name: 'idempotency keys',
    lifetimeMs: 48 * HOUR_MS,
    remove: removeOldest('cleanup-keys', { table: 'idempotency_keys', age: 'at' }),
  },
  {
    name: 'sessions that ended',
    lifetimeMs: HOUR_MS,
    remove: removeOldestSessions('cleanup-ended-sessions', 'ended_at'),
  },
  {
    // A session lives for seven days at most.
    name: 'sessions that are too old',
    lifetimeMs: 7 * 24 * HOUR_MS + HOUR_MS,
    remove: removeOldestSessions('cleanup-old-sessions', 'created_at'),
  },
  {
    // Used ones, which are stored until they are too old to be used again.
    name: 'used login nonces',
    lifetimeMs: 10 * MINUTE_MS,
    remove: removeOldest('cleanup-nonces', { table: 'nonces', age: 'expires_at' }),
  },
  {
    // A withdrawal carries the nonce and the signature of its own challenge, which is used up by then.
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
