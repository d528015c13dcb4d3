import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { errorCode, StartProblem } from '../start-problem.ts'
import { makeRoles } from './roles.ts'
import type { RolePasswords } from './roles.ts'

interface Migration {
  name: string
  sql: string
  checksum: string
}

interface MigrateOptions {
  /** The owner's URL. */
  url: string
  passwords: RolePasswords
  ownCluster: boolean
  /** The folder of `0001_*.sql`; the product's own when absent. */
  dir?: string
}

// Any number does, as long as every version of the program takes the same.
const lockId = 4_032_001

/**
 * Brings the database to the schema of this program: role logins first, then each new file in a transaction of its
 * own. Safe when several run at once. Answers the names of the files applied now. A `StartProblem` when the
 * database cannot be reached or an applied file was changed afterwards.
 */
export async function migrate({ url, passwords, ownCluster, dir }: MigrateOptions): Promise<string[]> {
  const client = await connect(url)
  try {
    await client.query('select pg_advisory_lock($1)', [lockId])
    await makeRoles(client, { url, passwords, ownCluster })
    return await applyAll(client, readMigrations(dir ?? join(import.meta.dirname, 'migrations')))
  } finally {
    await client.end()
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'migrate',
  })
  // A lost connection rejects the running query; without a listener it would end the process as well.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw new StartProblem(`The database of DATABASE_URL cannot be reached: ${reason(error)}.`)
  }
}

function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  return message || errorCode(error) || 'no answer'
}

function readMigrations(dir: string): Migration[] {
  const names = readdirSync(dir).filter((name) => /^\d{4}_[a-z0-9_-]+\.sql$/.test(name))
  return names.toSorted().map((name) => {
    const sql = readFileSync(join(dir, name), 'utf8')
    return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
  })
}

async function applyAll(client: Client, migrations: Migration[]): Promise<string[]> {
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
    if (checksum !== undefined || migration.name < newest) throw changedPast(migration.name)
    await apply(client, migration)
    applied.push(migration.name)
  }
  return applied
}

const changedPast = (name: string) =>
  new StartProblem(
    `The database was made with another ${name}: an applied migration never changes, so put the old file back and add a new one.`,
  )

async function apply(client: Client, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw new Error(`Migration ${name} failed: ${reason(error)}`, { cause: error })
  }
}
