import type { Client } from 'pg'
import { findMissingGrants } from '#server/platform/db/grants.ts'
import { findMissingSettings } from '#server/platform/db/login-settings.ts'
import { findUnknownMigration, migrationNames, readApplied } from '#server/platform/db/migrations.ts'
import { roleNames } from '#server/platform/db/roles.ts'
import { type Finding, findingsOn } from './finding.ts'

/** The oldest and newest major versions that the game was tested with. */
const TESTED = { oldest: 15, newest: 18 }

const MAX_CLOCK_SKEW_MS = 2_000

/** Version, encoding, order of text, durability, schema, rights and clock of the database. */
export async function checkDatabase(client: Client, { now }: { now: () => Date }): Promise<Finding[]> {
  const schema = await checkSchema(client)
  const isCurrent = schema.every(({ level }) => level !== 'fix')
  const rights = isCurrent ? await checkRights(client) : []
  const way = await checkEncryption(client)
  return [...(await checkServer(client)), ...way, ...schema, ...rights, await checkClock(client, now)]
}

async function checkServer(client: Client): Promise<Finding[]> {
  const database = findingsOn('database')
  const { rows } = await client.query<{
    version: number
    encoding: string
    fsync: string
    commit: string
    pages: string
  }>(
    `select current_setting('server_version_num')::int / 10000 as version,
       current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
       current_setting('synchronous_commit') as commit, current_setting('full_page_writes') as pages`,
  )
  const { version = 0, encoding, fsync, commit, pages } = rows[0] ?? {}
  const supported = `the game is tested with Postgres ${TESTED.oldest} to ${TESTED.newest}`
  if (version < TESTED.oldest) database.fix(`it is Postgres ${version}`, `${supported}: upgrade it`)
  else if (version > TESTED.newest) database.note(`it is Postgres ${version}`, supported)
  else database.ok(`it is Postgres ${version}`)
  // Another one refuses characters that it lacks, and SQL_ASCII counts bytes instead of characters.
  if (encoding !== 'UTF8')
    database.fix(
      `its encoding is ${encoding}, in which announcements and reasons may fail`,
      "restore a backup into a database that was created with encoding 'UTF8'",
    )
  if (version >= TESTED.oldest) database.found.push(...(await checkCollation(client)))
  for (const [name, value] of Object.entries({ fsync, synchronous_commit: commit, full_page_writes: pages }))
    if (value === 'off')
      database.fix(
        `${name} is off, so a crash loses money`,
        `alter system set ${name} = on; then restart Postgres`,
      )
  return database.found
}

/**
 * Whether the indexes on text have the order of the present C library. After an upgrade of the operating system they may have
 * another one: rows are not found, and a unique key is stored twice.
 */
async function checkCollation(client: Client): Promise<Finding[]> {
  const database = findingsOn('database')
  const { rows } = await client.query<{ name: string; made: string | null; present: string | null }>(
    `select datname as name, datcollversion as made, pg_database_collation_actual_version(oid) as present
     from pg_database where datname = current_database()`,
  )
  const { name = '', made = null, present = null } = rows[0] ?? {}
  // Null for a locale whose order never changes, such as C.
  if (made !== null && present !== null && made !== present)
    database.fix(
      `its indexes were made by version ${made} of the order of text, and the system has ${present}`,
      `stop the game, then run "reindex database ${name}" and "alter database ${name} refresh collation version" in psql`,
    )
  return database.found
}

/** Whether the connection is encrypted, if it leaves this machine. */
export async function checkEncryption(client: Pick<Client, 'query'>): Promise<Finding[]> {
  const database = findingsOn('database')
  const { rows } = await client.query<{ encrypted: boolean; local: boolean }>(
    `select coalesce(ssl, false) as encrypted,
       coalesce(inet_client_addr() <<= '127.0.0.0/8' or inet_client_addr() = '::1', true) as local
     from pg_stat_ssl where pid = pg_backend_pid()`,
  )
  if (rows[0]?.local === false && !rows[0].encrypted)
    database.fix(
      'the connection leaves this machine unencrypted',
      'add sslmode=verify-full and sslrootcert to DATABASE_URL',
    )
  return database.found
}

async function checkSchema(client: Client): Promise<Finding[]> {
  const schema = findingsOn('schema')
  const applied = await readApplied(client)
  const unknown = findUnknownMigration(applied ?? [])
  const pending = migrationNames().filter((name) => !applied?.includes(name))
  if (applied === null)
    schema.fix(
      'the database has no tables of the game',
      'for a new game start it once, or run "node server/main.ts migrate"; for one that moves here restore a backup',
    )
  else if (unknown !== undefined)
    schema.fix(
      `it is newer than this program (${unknown})`,
      'start the program that made it, or restore a backup from before it',
    )
  else if (pending.length > 0)
    schema.fix(
      `it is older than this program (${pending.join(', ')})`,
      'run "npm run ops -- upgrade-check", then "node server/main.ts migrate"',
    )
  else schema.ok(`${applied.length} migrations are applied, all of this program`)
  return schema.found
}

async function checkRights(client: Client): Promise<Finding[]> {
  const rights = findingsOn('rights')
  const { rows } = await client.query<{ login: string; owns: boolean }>(
    `select current_user as login, coalesce(bool_and(pg_has_role(relowner, 'member')), false) as owns
     from pg_class where relnamespace = 'public'::regnamespace and relname = 'entries'`,
  )
  const { login = '', owns = false } = rows[0] ?? {}
  if (!owns)
    rights.fix(
      `the login "${login}" of DATABASE_URL does not own the tables`,
      "set DATABASE_URL to the owner's login",
    )
  for (const role of roleNames) {
    const missing = await findMissingGrants(client, role)
    if (missing.length > 0)
      rights.fix(
        `the login "${role}" lacks ${missing.length} rights (${missing[0]?.replace(/;$/, '')})`,
        'run "node server/main.ts migrate", which grants them',
      )
    const settings = await findMissingSettings(client, role)
    if (settings.length > 0)
      rights.fix(
        `the login "${role}" lacks ${settings.length} settings (${settings[0]})`,
        'run "node server/main.ts migrate", which sets them',
      )
  }
  if (rights.found.length === 0) rights.ok(`${roleNames.join(', ')} have theirs`)
  return rights.found
}

async function checkClock(client: Client, now: () => Date): Promise<Finding> {
  const clock = findingsOn('clock')
  const before = now().getTime()
  const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at')
  const after = now().getTime()
  const at = rows[0]?.at.getTime() ?? 0
  const skewMs = at < before ? before - at : Math.max(0, at - after)
  const what = `the database's clock differs from this machine's by ${(skewMs / 1000).toFixed(1)} s`
  if (skewMs > MAX_CLOCK_SKEW_MS) clock.fix(what, 'synchronise both by NTP (timedatectl set-ntp true)')
  else clock.ok(what)
  return clock.found[0]!
}
