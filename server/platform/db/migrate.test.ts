import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freshDatabase } from '#tests/support/database.ts'
import type { FreshDatabase } from '#tests/support/database.ts'
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

async function run(url: string): Promise<string[]> {
  const passwords = readPasswords({ env: database.environment, secretsDir: dir })
  return migrate({ url, passwords, ownCluster: false, dir })
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
