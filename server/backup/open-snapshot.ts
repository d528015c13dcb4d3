import type { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { BOUND_CHAIN } from '#server/deposits/connect-bound-chain.ts'
import { createClient } from '#server/platform/db/connect-to-primary.ts'
import { removeTimeouts } from '#server/platform/db/session.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import type { Manifest, Table, World } from './manifest.ts'

/** The whole database at one moment. */
export type Snapshot = {
  /** Everything that was committed before this moment is in it. */
  moment: Date
  world: World | null
  migrations: Manifest['migrations']
  tables: readonly Omit<Table, 'rows'>[]
  /** The rows of a table in the text format of COPY. Read one table after the other. */
  copyTable(table: Omit<Table, 'rows'>): AsyncIterable<Buffer>
}

/**
 * Opens a transaction that sees the database as it is at this moment, and reads from it. It locks nothing that the game
 * needs, and the game's writes do not change what it sees. Migrations that change a table wait. `url` has the owner's login:
 * no other may read every table.
 */
export async function withSnapshot<T>(url: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const client = createClient(url, { application_name: 'cotton-backup' })
  await client.connect()
  try {
    await removeTimeouts(client)
    const names = (await listTables(client)).map(({ name }) => quote(name))
    await client.query('begin isolation level repeatable read read only')
    // A table that a migration writes anew is empty in older snapshots. So no snapshot is taken before all are locked.
    await client.query(`lock table ${names.join(', ')} in access share mode`)
    // The first query takes the snapshot, and `now()` is the start of the transaction, which is earlier.
    const { rows } = await client.query<{ moment: Date }>('select now() as moment')
    return await work({
      moment: rows[0]!.moment,
      tables: await listTables(client),
      migrations: (await client.query('select name, checksum from schema_migrations order by name')).rows,
      world: await readWorld(client),
      copyTable({ name, columns }) {
        const rows = client.query(copyTo(`copy ${quote(name)} (${columns.map(quote).join(', ')}) to stdout`))
        // After a stop nobody reads them, and the end of the connection is an error of theirs.
        rows.on('error', () => undefined)
        return rows
      },
    })
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** A quoted identifier. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

async function readWorld(client: Client): Promise<World | null> {
  const { rows } = await client.query<{ value: World }>('select value from settings where name = $1', [
    BOUND_CHAIN,
  ])
  const { genesisHash, mint, treasury } = rows[0]?.value ?? {}
  return genesisHash && mint && treasury ? { genesisHash, mint, treasury } : null
}

// The tables of an extension come with it. Where it is not installed, their rows could not be restored.
const TABLES = `
  select relname::text as name, array_agg(attname::text order by attnum) as columns,
    array(
      select distinct confrelid::regclass::text from pg_constraint
      where contype = 'f' and conrelid = c.oid and confrelid <> c.oid
    ) as "refersTo"
  from pg_class c join pg_attribute on attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
  where relnamespace = 'public'::regnamespace and relkind = 'r'
    and not exists (
      select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e'
    )
  group by c.oid, relname order by relname`

/** A table follows those that its foreign keys refer to, so that it can be restored in this order. */
async function listTables(client: Client): Promise<Omit<Table, 'rows'>[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; refersTo: string[] }>(TABLES)
  if (!rows.some(({ name }) => name === 'entries'))
    throw new StartupError(
      'The database has no tables of the game: start the game once, or check DATABASE_URL.',
    )
  const sorted: Omit<Table, 'rows'>[] = []
  let left = rows
  while (left.length > 0) {
    const waiting = new Set(left.map(({ name }) => name))
    const ready = left.filter(({ refersTo }) => !refersTo.some((name) => waiting.has(name)))
    if (ready.length === 0) throw new Error(`Foreign keys form a cycle: ${[...waiting].join(', ')}`)
    sorted.push(...ready.map(({ name, columns }) => ({ name, columns })))
    left = left.filter((each) => !ready.includes(each))
  }
  return sorted
}
