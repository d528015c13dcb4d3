import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '#server/platform/db/migrate.ts'
import { startPostgres, withDatabase } from '#server/processes/postgres/postgres.ts'
import { passwordSetting, roleNames, type RolePasswords } from '#server/platform/db/roles.ts'
import { applyWorld } from '#server/world/apply-world.ts'
import { readWorldFile } from '#server/world/world-config.ts'
import { Client } from 'pg'

/** The running server, as passed to test processes in the environment variable `TEST_POSTGRES`. */
interface TestPostgres {
  url: string
  /** Where PgBouncer listens, if the run goes through it. */
  poolerPort?: number
  template: string
  passwords: RolePasswords
}

const prefix = 'cotton-farm-test-'

/**
 * One Postgres for a whole run of tests or benchmarks, with a migrated template database to copy. fsync is off here
 * because the folder is removed afterwards. Tests of durability start their own server.
 */
export async function startTestPostgres(): Promise<{ stop(): Promise<void> }> {
  removeStaleFolders()
  const dataDir = join(tmpdir(), `${prefix}${process.pid}-${randomBytes(4).toString('hex')}`)
  mkdirSync(dataDir)
  const settings = ['fsync=off', 'full_page_writes=off', 'max_connections=300', 'max_wal_size=2GB']
  // Each test file creates and drops a database, and a drop scans the whole cache, so the cache is small.
  settings.push('shared_buffers=512MB')
  const postgres = await startPostgres({ dataDir, settings })
  const passwords = {
    api: password(),
    watcher: password(),
    signer: password(),
    console: password(),
    readonly: password(),
  }
  const template = 'template_migrated'
  await runStatements(postgres.url, `create database ${template}`)
  const url = withDatabase(postgres.url, template)
  // Tests get only the rights that the migrations grant.
  await migrate({ url, passwords, ownCluster: true, migrationsOnly: true })
  await applyWorld(url, readWorldFile({ worldFile: '', dataDir }))
  const shared: TestPostgres = { url: postgres.url, template, passwords }
  process.env.TEST_POSTGRES = JSON.stringify(shared)
  return {
    async stop() {
      await postgres.stop()
      rmSync(dataDir, { recursive: true })
    },
  }
}

const password = () => randomBytes(12).toString('hex')

/** The server that this run started. */
export function sharedPostgres(): TestPostgres {
  const text = process.env.TEST_POSTGRES
  if (text === undefined) {
    throw new Error(
      'No test Postgres runs: call startTestPostgres() first (vitest does it in its global setup).',
    )
  }
  return JSON.parse(text) as TestPostgres
}

/** Runs statements one after the other on a connection of their own, with the login of the URL. */
export async function runStatements(url: string, ...statements: string[]): Promise<void> {
  await withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement)
  })
}

/** The same, for a statement that returns rows. */
export async function queryRows<Row extends object>(url: string, sql: string): Promise<Row[]> {
  return withClient(url, async (client) => (await client.query<Row>(sql)).rows)
}

async function withClient<Result>(url: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url })
  // A lost connection rejects the running query. Without a listener the error would also end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** The settings that give a child process the logins of the shared server. */
export function passwordEnvironment(passwords: RolePasswords): Record<string, string> {
  return Object.fromEntries(roleNames.map((role) => [passwordSetting(role), passwords[role]]))
}

/** A killed run leaves its folder, and possibly its Postgres, which exits once its files are removed. */
function removeStaleFolders(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const pid = Number(name.slice(prefix.length).split('-')[0])
    if (!isAlive(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
}

/** Whether a process with this id runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
