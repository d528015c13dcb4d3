import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freshDatabase, type FreshDatabase } from '#tests/support/database.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { queryRows } from '#tests/support/test-postgres.ts'
import { dumpSchema } from './dump-schema.ts'
import { migrate } from './migrate.ts'
import { readPasswords } from './roles.ts'

let database: FreshDatabase
let dir: string

// The program's own migrations. Tests add files to a copy.
beforeEach(async () => {
  database = await freshDatabase()
  dir = mkdtempSync(join(tmpdir(), 'migrations-'))
  cpSync(join(import.meta.dirname, 'migrations'), dir, { recursive: true })
})

afterEach(async () => {
  rmSync(dir, { recursive: true })
  await database.drop()
})

function write(name: string, sql: string): void {
  writeFileSync(join(dir, name), sql)
}

async function run(url: string, lockTiming?: Parameters<typeof migrate>[0]['lockTiming']): Promise<string[]> {
  const passwords = readPasswords({ env: database.environment, secretsDir: dir })
  return migrate({ url, passwords, ownCluster: false, dir, lockTiming })
}

async function connect(statementTimeoutMs?: number): Promise<Client> {
  const client = new Client({ connectionString: database.directUrl, statement_timeout: statementTimeoutMs })
  // The database of a failed test is dropped while it is connected.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const ask = (sql: string) => queryRows(database.directUrl, sql)

test('schema.sql is the schema of the migrations; otherwise run: node scripts/dump-schema.mjs', async () => {
  const stored = readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8')
  expect(await dumpSchema(database.directUrl)).toBe(stored)
})

test('concurrent migrations apply each file once', async () => {
  write('1001_counter.sql', 'create table counter (n int); insert into counter values (0)')
  write('1002_count.sql', 'update counter set n = n + 1')
  const answers = await Promise.all(Array.from({ length: 8 }, () => run(database.directUrl)))
  expect(answers.filter((applied) => applied.length > 0)).toEqual([['1001_counter.sql', '1002_count.sql']])
  expect(await ask('select n from counter')).toEqual([{ n: 1 }])
})

test('an applied file that changed is refused, and nothing after it is applied', async () => {
  write('1101_first.sql', 'select 1')
  await run(database.directUrl)
  write('1101_first.sql', 'select 2')
  write('1102_second.sql', 'create table never (id int)')
  await expect(run(database.directUrl)).rejects.toThrow(/made with another 1101_first\.sql/)
  expect(await ask(`select to_regclass('never') as found`)).toEqual([{ found: null }])
})

test('a failed file leaves nothing behind', async () => {
  write('1201_half.sql', 'create table half (id int); select 1 / 0')
  await expect(run(database.directUrl)).rejects.toThrow(/1201_half\.sql failed: division by zero/)
  expect(await ask(`select to_regclass('half') as found`)).toEqual([{ found: null }])
  write('1201_half.sql', 'create table half (id int)')
  expect(await run(database.directUrl)).toEqual(['1201_half.sql'])
})

test('a migration that finds the disk full ends with the remedy', async () => {
  write('1202_full.sql', `do $$ begin raise 'could not extend file' using errcode = 'disk_full'; end $$`)
  await expect(run(database.directUrl)).rejects.toThrow(
    /^The disk of the database is full \(could not extend file\): make room/,
  )
})

test('while a migration waits for a backup, players do not wait behind it', async () => {
  write('1301_note.sql', 'alter table land add column note text')
  const [backup, player] = [await connect(), await connect(10_000)]
  await backup.query('begin; select count(*) from land')
  const migrating = run(database.directUrl, { waitMs: 2_000, pauseMs: 1_000, tries: 60 })
  // The databases of the tests are copies of one, so that the table has the same number in all of them.
  const waiting = `select from pg_locks where relation = 'land'::regclass and not granted
    and database = (select oid from pg_database where datname = current_database())`
  await waitFor('the migration to wait', async () => (await player.query(waiting)).rowCount)
  await player.query('select count(*) from land')
  await backup.query('commit')
  expect(await migrating).toEqual(['1301_note.sql'])
  await Promise.all([backup.end(), player.end()])
})

test('a migration whose table is never free gives up with a sentence and leaves nothing', async () => {
  write('1302_table.sql', 'create table half (id int); alter table land add column note text')
  const backup = await connect()
  await backup.query('begin; select count(*) from land')
  await expect(run(database.directUrl, { waitMs: 50, pauseMs: 10, tries: 3 })).rejects.toThrow(
    /^Migration 1302_table\.sql needs a table that others use \(.*lock timeout\): wait until no backup/,
  )
  expect(await ask(`select to_regclass('half') as found`)).toEqual([{ found: null }])
  await backup.query('commit')
  expect(await run(database.directUrl)).toEqual(['1302_table.sql'])
  await backup.end()
})

test('a new file that precedes applied ones is refused', async () => {
  write('1201_in_time.sql', 'select 1')
  await run(database.directUrl)
  write('1150_late.sql', 'select 1')
  await expect(run(database.directUrl)).rejects.toThrow(/made with another 1150_late\.sql/)
})

test('a login of a shared server keeps its password, and the missing setting is reported', async () => {
  const passwords = { ...readPasswords({ env: database.environment, secretsDir: dir }), watcher: 'another' }
  await expect(migrate({ url: database.directUrl, passwords, ownCluster: false, dir })).rejects.toThrow(
    /already has a login "watcher" with another password: set DB_PASSWORD_WATCHER/,
  )
})

test('a database of another program is refused before anything is written', async () => {
  await ask('drop table schema_migrations')
  await expect(run(database.directUrl)).rejects.toThrow(
    /^The database has a table or view "accounts" and is not that of the game: .* Nothing was changed\.$/,
  )
  expect(await ask(`select to_regclass('schema_migrations') as found`)).toEqual([{ found: null }])
  // As a release without this check has left it.
  await ask('create table schema_migrations (name text)')
  await expect(run(database.directUrl)).rejects.toThrow(
    /^The database has a table or view "accounts" and is not that of/,
  )
  await ask('drop table schema_migrations')
  // As several other tools for migrations make it.
  await ask('create table schema_migrations (version text)')
  await expect(run(database.directUrl)).rejects.toThrow(
    /^The database is not that of the game, or is older than this program \(column "name" does not exist\): check/,
  )
})

test('a database with a table of any name is refused, unless an extension has made the table', async ({
  onTestFinished,
}) => {
  const other = await freshDatabase('template0')
  onTestFinished(() => other.drop())
  await queryRows(other.directUrl, 'create table customers (id int)')
  await expect(run(other.directUrl)).rejects.toThrow(/^The database has a table or view "customers" and/)
  expect(await queryRows(other.directUrl, `select to_regclass('schema_migrations') as found`)).toEqual([
    { found: null },
  ])
  await queryRows(other.directUrl, 'alter extension plpgsql add table customers')
  // The tables of the catalog do not count either, where the search path names it.
  await queryRows(
    other.directUrl,
    `do $$ begin execute format('alter database %I set search_path = public, pg_catalog', current_database()); end $$`,
  )
  expect(await run(other.directUrl)).toContain('0001_schema.sql')
})

test('a login that may create no tables is named as the reason', async () => {
  await expect(run(database.directUrlFor('api'))).rejects.toThrow(
    /^The login of DATABASE_URL may not do this \(permission denied for .*\): use the owner's login\.$/,
  )
})
