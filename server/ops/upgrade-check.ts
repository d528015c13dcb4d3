import type { Client } from 'pg'
import { DISK_FULL, INSUFFICIENT_PRIVILEGE } from '#server/platform/db/error-codes.ts'
import { explainQueryError } from '#server/platform/db/explain-query-error.ts'
import { type Migration, MIGRATION_LOCK, readMigrations } from '#server/platform/db/migrate.ts'
import { assertKnownMigrations, readApplied } from '#server/platform/db/migrations.ts'
import { removeTimeouts } from '#server/platform/db/session.ts'
import { waitForDatabase } from '#server/platform/db/wait-for-database.ts'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'
import { endAfter } from './end-after.ts'

/** While the game runs, a measurement may stop players for this long at most, of which it waits for a lock. */
const MAX_STOP_MS = 5_000
const MAX_LOCK_WAIT_MS = 1_000

/** The lock modes that make players wait: they conflict with inserts and updates. */
const BLOCKING = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']

type UpgradeCheckOptions = {
  /** The owner's URL. */
  url: string
  say(line: string): void
  /** Measures although the game runs. */
  measure?: boolean
  /** The folder of the migrations. Default: the product's own. */
  dir?: string
}

/**
 * Says which migrations an upgrade to this program applies, and how long each makes players wait: it runs them in a
 * transaction that is rolled back. While others use the database it does so only if told to, and gives up soon. Throws a
 * `StartupError` if the database is newer than this program or a migration fails.
 */
export async function checkUpgrade({ url, say, measure = false, dir }: UpgradeCheckOptions): Promise<void> {
  const client = await waitForDatabase({ url, applicationName: 'upgrade-check', waitMs: 0 })
  try {
    const pending = await readPending(client, dir)
    if (pending.length === 0) return say('Nothing to migrate: the database has the schema of this program.')
    say(
      `${pending.length} ${pending.length === 1 ? 'migration' : 'migrations'} to apply: ${pending.map(({ name }) => name).join(', ')}.`,
    )
    const others = await countOthers(client)
    if (others > 0 && !measure) {
      say(
        `Not measured, because ${others} connections use the database. Stop the game, use a restored backup, or add --measure: that may make players wait for ${MAX_STOP_MS / 1000} s.`,
      )
      return
    }
    const longest = await measureAll(client, pending, { url, isShared: others > 0, say })
    say(`Players wait ${inSeconds(longest)} at most. Everything was rolled back.`)
  } finally {
    await client.end()
  }
}

async function readPending(client: Client, dir?: string): Promise<Migration[]> {
  const applied = (await readApplied(client)) ?? []
  assertKnownMigrations(applied, dir)
  return readMigrations(dir).filter(({ name }) => !applied.includes(name))
}

async function countOthers(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  )
  return rows[0]?.count ?? 0
}

type MeasureOptions = { url: string; isShared: boolean; say(line: string): void }

/** Applies all in one transaction, prints the duration and the locks of each, and rolls back. Returns the longest lock. */
async function measureAll(
  client: Client,
  pending: readonly Migration[],
  { url, isShared, say }: MeasureOptions,
): Promise<number> {
  await client.query('begin')
  // As `migrate` does. The end of the transaction restores them.
  await removeTimeouts(client)
  await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  // Locks are released at the end of the transaction only, so the limit is for all migrations together.
  const limit = isShared ? await endAfter(client, { url, limitMs: MAX_STOP_MS }) : null
  if (isShared) await client.query(`set local lock_timeout = ${MAX_LOCK_WAIT_MS}`)
  const measured = applyAll(client, pending, say)
  await measured.catch(() => undefined)
  // Fails if the limit was reached, which has rolled back.
  await client.query('rollback').catch(() => undefined)
  if (await limit?.stop())
    throw new StartupError(
      `The migrations would make players wait for more than ${MAX_STOP_MS / 1000} s together: upgrade while the game is stopped. Everything was rolled back.`,
    )
  return measured
}

async function applyAll(
  client: Client,
  pending: readonly Migration[],
  say: (line: string) => void,
): Promise<number> {
  let longestMs = 0
  const tables = await readTables(client)
  let known = new Set<string>()
  for (const { name, sql } of pending) {
    const startedAt = performance.now()
    await client.query(sql).catch((error: unknown) => {
      throw explain(name, error)
    })
    const tookMs = performance.now() - startedAt
    const locks = await readLocks(client, tables)
    // Postgres does not say whether a lock that this transaction holds already was taken again.
    const own = locks.filter((lock) => !known.has(lock) || isNamedIn(sql, lock))
    known = new Set(locks)
    // Each migration is a transaction of its own, which holds its locks to its end.
    if (own.length > 0) longestMs = Math.max(longestMs, tookMs)
    say(
      `${name}: ${inSeconds(tookMs)}${own.length > 0 ? `, locks ${own.join(', ')}` : ', locks nothing that players write'}`,
    )
  }
  return longestMs
}

/** Whether a migration names the table of this lock. */
const isNamedIn = (sql: string, lock: string): boolean =>
  new RegExp(`\\b${lock.slice(0, lock.indexOf(' '))}\\b`).test(sql)

async function readTables(client: Client): Promise<number[]> {
  const { rows } = await client.query<{ oid: number }>(
    `select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  return rows.map(({ oid }) => oid)
}

/** The locks of this transaction on these tables that make players wait. */
async function readLocks(client: Client, tables: readonly number[]): Promise<string[]> {
  const { rows } = await client.query<{ lock: string }>(
    `select relname || ' (' || lower(regexp_replace(replace(mode, 'Lock', ''), '(?<=[a-z])([A-Z])', ' \\1', 'g')) || ')' as lock
     from pg_locks join pg_class on pg_class.oid = relation
     where pid = pg_backend_pid() and mode = any ($1) and relation = any ($2)
     order by 1`,
    [BLOCKING, tables],
  )
  return rows.map(({ lock }) => lock)
}

function explain(name: string, error: unknown): StartupError {
  const code = errorCode(error)
  const reason = error instanceof Error ? error.message : String(error)
  if (code === LOCK_NOT_AVAILABLE)
    return new StartupError(
      `${name} would make players wait for more than ${MAX_LOCK_WAIT_MS / 1000} s (${reason}): upgrade while the game is stopped. Everything was rolled back.`,
    )
  // Neither is a fault of the migration.
  const explained = OF_DISK_OR_LOGIN.has(code) ? explainQueryError(error) : undefined
  if (explained) return explained
  return new StartupError(
    `${name} fails on this database (${reason}): do not upgrade, and report it. Everything was rolled back.`,
  )
}

const LOCK_NOT_AVAILABLE = '55P03'

const OF_DISK_OR_LOGIN = new Set<string>([DISK_FULL, INSUFFICIENT_PRIVILEGE])

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 1_000 ? 2 : 1)} s`
