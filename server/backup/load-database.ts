import { once } from 'node:events'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { listTablesAndViews, migrate } from '#server/platform/db/migrate.ts'
import { migrationNames } from '#server/platform/db/migrations.ts'
import type { RolePasswords } from '#server/platform/db/roles.ts'
import { createClient } from '#server/platform/db/connect-to-primary.ts'
import { removeTimeouts } from '#server/platform/db/session.ts'
import { waitForDatabase } from '#server/platform/db/wait-for-database.ts'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'
import { type CheckFreeSpace, checkEach } from './check-free-space.ts'
import { type Manifest, type Table, tableOfPart } from './manifest.ts'
import { quote } from './open-snapshot.ts'
import { type ArchiveSource, damagedBackup, readArchive, UnusableBackup } from './read-archive.ts'

type LoadOptions = {
  /** The owner's URL of an empty database. */
  url: string
  passwords: RolePasswords
  /** Whether the cluster serves this game only. */
  ownCluster: boolean
  manifest: Manifest
  onProgress(sentence: string): void
  /** Stops the work. */
  signal?: AbortSignal
  checkFreeSpace?: CheckFreeSpace
}

/** Refuses a backup whose migrations this program does not have. */
export function assertKnownSchema({ migrations, release }: Manifest): void {
  const known = new Set(migrationNames())
  const unknown = migrations.find(({ name }) => !known.has(name))
  if (unknown === undefined) return
  throw new StartupError(
    `The backup is newer than this program, which does not know its migration ${unknown.name}: restore it with release ${release} or a newer one.`,
  )
}

/** Another number than those of the game's other advisory locks. */
const RESTORE_LOCK = 4_032_022

/**
 * Lets only one restore at a time fill this database, until the returned function is called: one that fails empties the
 * database again. Throws a `StartupError` if another one is at work.
 */
export async function lockForRestore(url: string): Promise<() => Promise<void>> {
  const client = await waitForDatabase({ url, applicationName: 'cotton-restore', waitMs: 0 })
  const unlock = () => client.end().catch(() => undefined)
  await removeTimeouts(client)
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
    RESTORE_LOCK,
  ])
  if (rows[0]?.locked === true) return unlock
  await unlock()
  throw new StartupError(
    'Another restore into the database of DATABASE_URL is at work: wait until it has ended. Nothing was restored.',
  )
}

/**
 * Creates the schema of the backup in an empty database and loads all its rows, in one transaction. A later start migrates
 * the database to the schema of the program.
 */
export async function loadDatabase(source: ArchiveSource, options: LoadOptions): Promise<void> {
  const { url, passwords, ownCluster, manifest } = options
  await assertEmpty(url)
  const upTo = manifest.migrations.at(-1)?.name
  try {
    await migrate({ url, passwords, ownCluster, upTo, migrationsOnly: true })
    await load(source, options)
  } catch (error) {
    await dropEverything(url)
    throw error
  }
}

async function load(source: ArchiveSource, options: LoadOptions): Promise<void> {
  const client = await connect(options.url)
  try {
    await assertSameMigrations(client, options.manifest)
    await client.query('begin')
    await loadRows(client, source, options)
    await client.query('commit')
    await client.query('analyze')
  } catch (error) {
    if (!errorCode(error).startsWith(BROKEN_CONSTRAINT)) throw error
    throw new UnusableBackup(
      `${source.path} cannot be restored (${(error as Error).message}): use an older backup, and repair the database that this one is from.`,
    )
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The class of their codes. A database stores such rows if one of its indexes is damaged. */
const BROKEN_CONSTRAINT = '23'

/** Makes the database empty again, as it was before `loadDatabase`. If that fails, the first error matters more. */
export async function dropEverything(url: string): Promise<void> {
  const client = await connect(url)
  try {
    const { rows } = await client.query<{ line: string }>(OWN_OBJECTS)
    await client.query(rows.map(({ line }) => `drop ${line} cascade`).join(';'))
  } catch {
    // The next attempt says that the database is not empty.
  } finally {
    await client.end().catch(() => undefined)
  }
}

// Extensions of the operator stay.
const OWN_OBJECTS = `
  select format('%s if exists %s', kind, name) as line from (
    select 1 as step, oid, 'table' as kind, oid::regclass::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    union all
    select 2, oid, 'function', oid::regprocedure::text from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select 3, oid, 'type', oid::regtype::text from pg_type
      where typnamespace = 'public'::regnamespace and typtype = 'e'
  ) as own
  where not exists (select from pg_depend where objid = own.oid and deptype = 'e')
  order by step`

async function connect(url: string): Promise<Client> {
  const client = createClient(url, { application_name: 'cotton-restore' })
  await client.connect()
  await removeTimeouts(client)
  return client
}

async function assertEmpty(url: string): Promise<void> {
  const client = await connect(url)
  try {
    if ((await listTablesAndViews(client)).length === 0) return
  } finally {
    await client.end().catch(() => undefined)
  }
  throw new StartupError(
    'The database of DATABASE_URL is not empty: create a new one, and name that. Nothing was changed.',
  )
}

/** Migrations of released versions never change, so the same name means the same tables. */
async function assertSameMigrations(client: Client, { migrations, release }: Manifest): Promise<void> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  )
  const own = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  const changed = migrations.find(({ name, checksum }) => own.get(name) !== checksum)
  if (changed === undefined) return
  throw new StartupError(
    `The backup was made with another ${changed.name}: restore it with the program that made it (release ${release}).`,
  )
}

async function loadRows(
  client: Client,
  source: ArchiveSource,
  { manifest, onProgress, signal, checkFreeSpace }: LoadOptions,
): Promise<void> {
  const names = manifest.tables.map(({ name }) => quote(name))
  const { rows: always } = await client.query<{ line: string }>(ENABLE_ALWAYS)
  // The rows of the migrations are in the backup. Totals and histories are restored, not computed again.
  for (const name of names) await client.query(`alter table ${name} disable trigger user`)
  await client.query(`truncate ${names.join(', ')}`)
  const byName = new Map(manifest.tables.map((table) => [table.name, table]))
  let open: OpenCopy | undefined
  for await (const part of readArchive(source)) {
    const name = tableOfPart(part.name)
    if (name === undefined) continue
    if (open?.table.name !== name) {
      await open?.finish()
      const table = byName.get(name)
      if (!table) throw damagedBackup(source.path, `${name} is not in the manifest`)
      onProgress(`Restoring table ${name}: ${table.rows} rows`)
      open = openCopy(client, table)
    }
    signal?.throwIfAborted()
    for await (const chunk of checkEach(part.content, checkFreeSpace)) await open.write(chunk)
  }
  await open?.finish()
  await restoreSequences(client)
  await renewStops(client, byName)
  for (const name of names) await client.query(`alter table ${name} enable trigger user`)
  for (const { line } of always) await client.query(line)
}

// `enable trigger user` makes ordinary triggers of all, which do not fire with `session_replication_role = replica`.
const ENABLE_ALWAYS = `
  select format('alter table %s enable always trigger %I', tgrelid::regclass, tgname) as line
  from pg_trigger join pg_class on pg_class.oid = tgrelid
  where relnamespace = 'public'::regnamespace and tgenabled = 'A' and not tgisinternal`

type OpenCopy = { table: Table; write(chunk: Uint8Array): Promise<void>; finish(): Promise<void> }

function openCopy(client: Client, table: Table): OpenCopy {
  const columns = table.columns.map(quote).join(', ')
  const stream = client.query(copyFrom(`copy ${quote(table.name)} (${columns}) from stdin`))
  const failed = new Promise<never>((_resolve, reject) => stream.once('error', reject))
  failed.catch(() => undefined)
  return {
    table,
    async write(chunk) {
      if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), failed])
    },
    async finish() {
      const finished = once(stream, 'finish')
      finished.catch(() => undefined)
      stream.end()
      await Promise.race([finished, failed])
      if (stream.rowCount !== table.rows)
        throw new Error(
          `${table.name} has ${table.rows} rows in the backup, and ${stream.rowCount} were restored`,
        )
    },
  }
}

const IDENTITIES = `
  select format('select setval(pg_get_serial_sequence(%L, %L), max(%I)) from %I', relname, attname, attname, relname) as line
  from pg_class c join pg_attribute on attrelid = c.oid
  where relnamespace = 'public'::regnamespace and relkind = 'r' and attidentity <> ''`

/** The next generated number follows the highest restored one. */
async function restoreSequences(client: Client): Promise<void> {
  const { rows } = await client.query<{ line: string }>(IDENTITIES)
  for (const { line } of rows) await client.query(line)
}

/**
 * Gives a restored pause and restored freezes new ids, so that no act lifts them that was signed before the restore: it may
 * wait in the backup, or have been done after it.
 */
async function renewStops(client: Client, tables: ReadonlyMap<string, Table>): Promise<void> {
  await client.query(
    `update settings set value = value || jsonb_build_object('id', gen_random_uuid()) where name = 'withdrawals_paused'`,
  )
  // The migration that adds the column to a backup of 0.1.0 makes the ids.
  if (tables.get('frozen_wallets')?.columns.includes('id') === true)
    await client.query('update frozen_wallets set id = gen_random_uuid()')
}
