import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type FreshDatabase } from './database.ts'
import { queryRows } from './test-postgres.ts'

let one: FreshDatabase
let other: FreshDatabase

beforeAll(async () => {
  ;[one, other] = await Promise.all([freshDatabase(), freshDatabase()])
})

afterAll(async () => {
  await Promise.all([one.drop(), other.drop()])
})

test('a test does not see the rows of another test', async () => {
  await queryRows(one.url, 'create table mine (id int)')
  expect(await queryRows(one.url, `select to_regclass('mine')::text as found`)).toEqual([{ found: 'mine' }])
  expect(await queryRows(other.url, `select to_regclass('mine')::text as found`)).toEqual([{ found: null }])
})

test('a fresh database is migrated', async () => {
  const [row] = await queryRows<{ applied: boolean }>(
    one.url,
    'select count(*) > 0 as applied from schema_migrations',
  )
  expect(row).toEqual({ applied: true })
})

test('each role has its own login and cannot create tables', async () => {
  for (const role of ['api', 'watcher', 'signer', 'console', 'readonly'] as const) {
    expect(await queryRows(one.urlFor(role), 'select current_user as name')).toEqual([{ name: role }])
    await expect(queryRows(one.urlFor(role), 'create table sneaked (id int)')).rejects.toThrow(
      /denied|read-only/,
    )
  }
})
