import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { errorCode, StartupError } from '../startup-error.ts'
import { DISK_FULL } from './error-codes.ts'
import { explainQueryError } from './explain-query-error.ts'
import { restoreGrants } from './grants.ts'
import { assertKnownMigrations, migrationNames, MIGRATIONS, readApplied } from './migrations.ts'
import { findMissingSettings, putOwnSettings } from './login-settings.ts'
import { makeRoles, roleNames, type RolePasswords, withLogin } from './roles.ts'
import { assertSession, removeTimeouts } from './session.ts'
import { waitForDatabase, type WaitForDatabaseOptions } from './wait-for-database.ts'

export interface Migration {
  name: string
  sql: string
  checksum: string
}

interface MigrateOptions extends Partial<Pick<WaitForDatabaseOptions, 'waitMs' | 'onWait' | 'signal'>> {
  /** The owner's URL. */
  url: string
  passwords: RolePasswords
  ownCluster: boolean
  /** The folder of `0001_*.sql`. Default: the product's own. */
  dir?: string
  /** The last migration to apply. Default: all. */
  upTo?: string
  /**
   * Neither restores lost privileges, so that those of the migrations can be compared with schema.sql, nor changes the
   * settings of the logins.
   */
  migrationsOnly?: boolean
  lockTiming?: LockTiming
}

/** How long a migration waits for a lock, how long it pauses before it tries again, and how often it tries. */
type LockTiming = { waitMs: number; pauseMs: number; tries: number }

// Whoever needs a table waits behind a migration that waits for it, and a backup or an audit may read the table for hours.
// So the wait is short, and the pauses let players through. It is longer than the second after which Postgres ends an
// autovacuum that is in the way.
const LOCK_TIMING: LockTiming = { waitMs: 2_000, pauseMs: 4_000, tries: 12 }

// An arbitrary number, the same in every version of the program.
export const MIGRATION_LOCK = 4_032_001

/**
 * Brings the database to the schema of this program. Creates the role logins, applies each new file in its own
 * transaction, and restores privileges and settings of the logins that a restored dump has lost. Several runs at once are
 * safe. Returns the names of the files that it applied. Throws a `StartupError` if the database is unavailable, if it is
 * newer than this program or that of another one, if the login may not do this, or if an applied file was changed.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { url, passwords, ownCluster, dir = MIGRATIONS, waitMs = 0, onWait, signal } = options
  const client = await waitForDatabase({ url, applicationName: 'migrate', waitMs, onWait, signal })
  try {
    await assertSession(client)
    await removeTimeouts(client)
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    // Before anything is written, including the logins.
    const known = (await readApplied(client)) ?? []
    // Also where an older release has made the table of the migrations, and could apply none.
    if (known.length === 0) await assertNoOtherProgram(client)
    assertKnownMigrations(known, dir)
    await makeRoles(client, { url, passwords, ownCluster })
    const migrations = readMigrations(dir, options.upTo)
    const applied = await applyAll(client, migrations, options.lockTiming ?? LOCK_TIMING)
    if (!options.migrationsOnly) {
      await restoreGrants(client)
      await restoreSettings(client, { url, passwords })
    }
    return applied
  } catch (error) {
    throw explainQueryError(error) ?? error
  } finally {
    await client.end()
  }
}

/**
 * The tables and views in the game's schema, in order. What extensions of the operator have made does not count, nor what is
 * in further schemas of a search path, which may name the catalog or those of a provider.
 */
export async function listTablesAndViews(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where nspname in ('public', current_schema()) and relkind in ('r', 'p', 'v', 'm', 'f')
       and not exists (
         select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
       )
     order by relname`,
  )
  return rows.map(({ name }) => name)
}

/** A shell may have the DATABASE_URL of another project. */
async function assertNoOtherProgram(client: Client): Promise<void> {
  const found = (await listTablesAndViews(client)).find((name) => name !== 'schema_migrations')
  if (found === undefined) return
  throw new StartupError(
    `The database has a table or view "${found}" and is not that of the game: name one of its own in DATABASE_URL, or unset that for the built-in Postgres. Nothing was changed.`,
  )
}

/** Settings belong to a login and a database: a copy or a restored dump of the database has lost them. */
async function restoreSettings(
  client: Client,
  { url, passwords }: Pick<MigrateOptions, 'url' | 'passwords'>,
): Promise<void> {
  for (const name of roleNames) {
    if ((await findMissingSettings(client, name)).length === 0) continue
    const login = withLogin(url, { name, password: passwords[name] })
    const own = await waitForDatabase({ url: login, applicationName: 'migrate', waitMs: 0 })
    await putOwnSettings(own, name).finally(() => own.end())
  }
}

/** This program's migrations in order, up to a name. */
export function readMigrations(dir = MIGRATIONS, upTo?: string): Migration[] {
  const names = migrationNames(dir).filter((name) => upTo === undefined || name <= upTo)
  return names.map((name) => {
    const sql = readFileSync(join(dir, name), 'utf8')
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
  })
}

async function applyAll(client: Client, migrations: Migration[], timing: LockTiming): Promise<string[]> {
  await client.query(`
    create table if not exists schema_migrations (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default clock_timestamp()
    )`)
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  )
  const known = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  const newest = [...known.keys()].toSorted().at(-1) ?? ''
  const applied: string[] = []
  for (const migration of migrations) {
    const checksum = known.get(migration.name)
    if (checksum === migration.checksum) continue
    if (checksum !== undefined || migration.name < newest) throw changedMigration(migration.name)
    await applyWhenFree(client, migration, timing)
    applied.push(migration.name)
  }
  return applied
}

const changedMigration = (name: string) =>
  new StartupError(
    `The database was made with another ${name}: an applied migration never changes, so put the old file back and add a new one.`,
  )

/** Tries again while another connection has a lock that the migration needs. */
async function applyWhenFree(client: Client, migration: Migration, timing: LockTiming): Promise<void> {
  const { name } = migration
  for (let attempt = 1; ; attempt++) {
    try {
      return await apply(client, migration, timing.waitMs)
    } catch (error) {
      // `migrate` explains it.
      if (errorCode(error) === DISK_FULL) throw error
      const reason = error instanceof Error ? error.message : String(error)
      if (!LOCKED_CODES.has(errorCode(error)))
        throw new Error(`Migration ${name} failed: ${reason}`, { cause: error })
      if (attempt === timing.tries) throw new StartupError(lockedMigration(name, reason))
      await sleep(timing.pauseMs)
    }
  }
}

// A lock that was not free in time, and a deadlock with a transaction of a player.
const LOCKED_CODES = new Set(['55P03', '40P01'])

const lockedMigration = (name: string, reason: string) =>
  `Migration ${name} needs a table that others use (${reason}): wait until no backup and no audit runs, then try again.`

/** Applies a migration in a transaction, or nothing of it. */
async function apply(client: Client, { name, sql, checksum }: Migration, lockWaitMs: number): Promise<void> {
  await client.query(`begin; set local lock_timeout = ${lockWaitMs}`)
  try {
    await client.query(sql)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
