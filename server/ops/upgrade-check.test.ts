import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MIGRATIONS } from '#server/platform/db/migrations.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { runStatements } from '#tests/support/test-postgres.ts'
import { endAfter } from './end-after.ts'
import { checkUpgrade } from './upgrade-check.ts'

let database: FreshDatabase
let dir: string

beforeEach(async () => {
  database = await freshDatabase()
  dir = mkdtempSync(join(tmpdir(), 'upgrade-check-'))
  cpSync(MIGRATIONS, dir, { recursive: true })
})

afterEach(async () => {
  rmSync(dir, { recursive: true })
  await database.drop()
})

const write = (name: string, sql: string) => writeFileSync(join(dir, name), sql)

// The databases of the tests are copies of one, so that the table has the same number in all of them.
const LAND_LOCKS = `select from pg_locks
  where relation = 'land'::regclass and database = (select oid from pg_database where datname = current_database())`

async function check(measure = false): Promise<string[]> {
  const lines: string[] = []
  await checkUpgrade({ url: database.url, dir, measure, say: (line) => lines.push(line) })
  return lines
}

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database.url })
  await client.connect()
  return client
}

test('an upgrade is measured in a transaction that leaves nothing behind', async () => {
  const released = readdirSync(dir).length
  expect(await check()).toEqual(['Nothing to migrate: the database has the schema of this program.'])
  write('9001_note.sql', 'alter table land add column note text; select pg_sleep(0.3)')
  write('9002_table.sql', 'create table guests (id int)')
  // A busy machine takes longer than the sleep.
  expect(await check()).toEqual([
    '2 migrations to apply: 9001_note.sql, 9002_table.sql.',
    expect.stringMatching(/^9001_note\.sql: (0\.[3-9]\d|[1-9]\S*) s, locks land \(access exclusive\)$/),
    expect.stringMatching(/^9002_table\.sql: \d+\.\d+ s, locks nothing that players write$/),
    expect.stringMatching(/^Players wait (0\.[3-9]\d|[1-9]\S*) s at most\. Everything was rolled back\.$/),
  ])
  const client = await connect()
  const { rows } = await client.query(
    `select to_regclass('guests') as guests, (select count(*)::int from schema_migrations) as applied`,
  )
  await client.end()
  expect(rows).toEqual([{ guests: null, applied: released }])
})

test('a migration that locks what an earlier one has locked makes players wait, too', async () => {
  write('9001_note.sql', 'alter table land add column note text')
  write('9002_default.sql', `alter table land alter column note set default ''; select pg_sleep(0.3)`)
  expect((await check()).slice(1)).toEqual([
    expect.stringMatching(/^9001_note\.sql: \d+\.\d+ s, locks land \(access exclusive\)$/),
    expect.stringMatching(/^9002_default\.sql: (0\.[3-9]\d|[1-9]\S*) s, locks land \(access exclusive\)$/),
    expect.stringMatching(/^Players wait (0\.[3-9]\d|[1-9]\S*) s at most\./),
  ])
})

test('a database in use is measured only on request, and players do not wait for long', async () => {
  write('9001_note.sql', 'alter table land add column note text')
  const player = await connect()
  await player.query('begin; select count(*) from land')
  expect((await check()).at(-1)).toMatch(
    /^Not measured, because 1 connections use the database\. Stop the game, /,
  )
  await expect(check(true)).rejects.toThrow(
    /^9001_note\.sql would make players wait for more than 1 s .*: upgrade while the game is stopped\. Everything/,
  )
  await player.query('commit')
  expect((await check(true)).at(-1)).toMatch(/^Players wait \d+\.\d+ s at most/)
  await player.end()
})

test('migrations and statements that are short alone stop players for five seconds together at most', async () => {
  // Without the limit, the player waits for longer than this test may take.
  const rests = 'select pg_sleep(2);'.repeat(60)
  write('9001_note.sql', `alter table land add column note text; ${rests}`)
  write('9002_more.sql', rests)
  const player = await connect()
  const checked = expect(check(true)).rejects.toThrow(
    'The migrations would make players wait for more than 5 s together: upgrade while the game is stopped. Everything was rolled back.',
  )
  await waitFor('the lock', async () => {
    const { rowCount } = await player.query(LAND_LOCKS)
    return rowCount
  })
  await player.query('select count(*) from land')
  await checked
  const { rows } = await player.query(
    `select count(*)::int as others from pg_stat_activity
     where datname = current_database() and application_name = 'upgrade-check'`,
  )
  expect(rows).toEqual([{ others: 0 }])
  await player.end()
})

test('a limit that is stopped at once ends nothing', async () => {
  // Many at once, so that some are stopped before Postgres has read what they sent.
  const measure = async (): Promise<boolean> => {
    const client = await connect()
    const limit = await endAfter(client, { url: database.directUrl, limitMs: 2_000 })
    const hasEnded = await limit.stop()
    await client.end()
    return hasEnded
  }
  const ended = await Promise.all(Array.from({ length: 40 }, measure))
  expect(ended).not.toContain(true)
})

test('a timeout that the operator has set for all sessions fails no measurement', async () => {
  write('9001_note.sql', 'alter table land add column note text; select pg_sleep(0.6)')
  const url = new URL(database.directUrl)
  url.searchParams.set('options', '-c statement_timeout=500')
  const lines: string[] = []
  await checkUpgrade({ url: url.href, dir, say: (line) => lines.push(line) })
  expect(lines.at(-1)).toMatch(/^Players wait \d+\.\d+ s at most\. Everything was rolled back\.$/)
})

test('a full disk and a login without rights are not reported as a fault of the migration', async () => {
  write('9001_full.sql', `do $$ begin raise 'No space left' using errcode = '53100'; end $$`)
  await expect(check()).rejects.toThrow(/^The disk of the database is full \(No space left\): make room /)
  write('9001_full.sql', 'alter table land add column note text')
  const url = database.directUrlFor('api')
  await expect(checkUpgrade({ url, dir, say: () => {} })).rejects.toThrow(
    /^The login of DATABASE_URL may not do this \(must be owner of table land\): use the owner's login\.$/,
  )
})

test('a migration that fails on these rows is named, and so is a database that is newer', async () => {
  write('9001_wrong.sql', `insert into worker_types (worker_type) values ('kid')`)
  await expect(check()).rejects.toThrow(
    /^9001_wrong\.sql fails on this database \(.*\): do not upgrade, and report it\./,
  )
  await runStatements(
    database.url,
    `insert into schema_migrations (name, checksum) values ('9999_later.sql', '')`,
  )
  await expect(check()).rejects.toThrow(/^The database is newer than this program/)
})
