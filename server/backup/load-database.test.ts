import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect } from 'vitest'
import { PARCELS } from '#game/world.ts'
import { freezeWallet } from '#server/freeze/freeze-wallet.ts'
import { dumpSchema } from '#server/platform/db/dump-schema.ts'
import { readPasswords } from '#server/platform/db/roles.ts'
import { withDatabase } from '#server/processes/postgres/postgres.ts'
import { pauseWithdrawals } from '#server/withdrawals/withdrawal-pause.ts'
import { queryRows, runStatements } from '#tests/support/test-postgres.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { assertKnownSchema, loadDatabase } from './load-database.ts'
import type { Manifest } from './manifest.ts'
import { UnusableBackup } from './read-archive.ts'
import { takeBackup } from './take-backup.ts'

let dir: string
let databases: { world: TestWorld; name: string }[]
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cotton-farm-load-'))
  databases = []
})
afterEach(async () => {
  for (const { world, name } of databases)
    await runStatements(world.url, `drop database ${name} with (force)`)
  rmSync(dir, { recursive: true })
})

async function emptyDatabase(world: TestWorld): Promise<string> {
  const name = `test_load_${randomBytes(6).toString('hex')}`
  await runStatements(world.url, `create database ${name}`)
  databases.push({ world, name })
  return withDatabase(world.directUrl, name)
}

const onProgress = () => {}
const path = () => join(dir, 'a.tar.zst')

async function backUp(world: TestWorld): Promise<Manifest> {
  const options = {
    url: world.directUrl,
    dataDir: dir,
    file: path(),
    recipient: '',
    release: '0.1.0',
    onProgress,
  }
  return (await takeBackup(options)).manifest
}

function load(world: TestWorld, url: string, manifest: Manifest): Promise<void> {
  const passwords = readPasswords({ env: world.environment, secretsDir: dir })
  const source = { path: path(), identities: [] }
  return loadDatabase(source, { url, passwords, ownCluster: false, manifest, onProgress })
}

const hashOf = async (url: string, table: string) =>
  queryRows(url, `select count(*), md5(string_agg(t::text, '|' order by t::text)) from "${table}" t`)

const tableCount = (url: string) =>
  queryRows<{ count: string }>(
    url,
    `select count(*) from pg_class where relnamespace = 'public'::regnamespace`,
  )

const whenTriggersFire = (url: string) =>
  queryRows(
    url,
    `select tgrelid::regclass::text as place, tgname, tgenabled from pg_trigger
     join pg_class on pg_class.oid = tgrelid
     where relnamespace = 'public'::regnamespace and not tgisinternal order by 1, 2`,
  )

test('a restored database has the same rows, the same schema and the same triggers', async ({ world }) => {
  const player = await world.player({ deposited: 1_000_000, earned: 3 })
  await world.hire(player, 'kid')
  await world.buy(player, PARCELS[0]!.parcelId)
  const note = `values (now(), 'ana', 'note', '{"text": "a\\tb\\nc\\\\d"}', null, E'x\\ty\\nz\\\\.')`
  await runStatements(
    world.url,
    `insert into operator_log (at, who, command, arguments, reason, outcome) ${note}`,
  )
  const manifest = await backUp(world)
  const url = await emptyDatabase(world)
  await load(world, url, manifest)

  expect(await dumpSchema(url)).toBe(await dumpSchema(world.url))
  expect(await whenTriggersFire(url)).toEqual(await whenTriggersFire(world.url))
  for (const { name } of manifest.tables)
    expect(await hashOf(url, name), name).toEqual(await hashOf(world.url, name))
  await expect(runStatements(url, 'delete from journals')).rejects.toThrow('journals is append-only')
  const [next] = await queryRows<{ id: string }>(
    url,
    `insert into operator_log (at, who, command, arguments, reason, outcome) ${note} returning id`,
  )
  expect(next!.id).toBe('2')
})

test('timeouts that the operator has set for all sessions do not stop a restore', async ({ world }) => {
  const manifest = await backUp(world)
  const url = new URL(await emptyDatabase(world))
  // While the restore reads the next rows, its transaction is idle. A busy machine delays no statement by this.
  url.searchParams.set('options', '-c idle_in_transaction_session_timeout=1')
  await load(world, url.href, manifest)
})

test('a database that is not empty is refused and stays as it is', async ({ world }) => {
  const manifest = await backUp(world)
  const url = await emptyDatabase(world)
  await runStatements(url, 'create table mine (n integer)')
  await expect(load(world, url, manifest)).rejects.toThrow(/^The database of DATABASE_URL is not empty/)
  expect(await tableCount(url)).toEqual([{ count: '1' }])
  // What empties the database after a failure would remove the function, too.
  await runStatements(url, `drop table mine; create function mine() returns integer return 1`)
  await runStatements(url, 'create view users as select mine()')
  await expect(load(world, url, manifest)).rejects.toThrow(/^The database of DATABASE_URL is not empty/)
  expect(await queryRows(url, 'select * from users')).toEqual([{ mine: 1 }])
})

test('tables of extensions are in no backup, and a database with one counts as empty', async ({
  world,
  onTestFinished,
}) => {
  const addTable =
    'create table of_an_extension (n integer); alter extension plpgsql add table of_an_extension'
  const removeTable = 'alter extension plpgsql drop table of_an_extension; drop table of_an_extension'
  await runStatements(world.url, addTable)
  onTestFinished(() => runStatements(world.url, removeTable))
  const manifest = await backUp(world)
  expect(manifest.tables.map(({ name }) => name)).not.toContain('of_an_extension')
  const url = await emptyDatabase(world)
  await runStatements(url, `${addTable}; insert into of_an_extension values (7)`)
  await load(world, url, manifest)
  expect(await queryRows(url, 'select n from of_an_extension')).toEqual([{ n: 7 }])
  // A missing extension does not stop a restore either.
  await load(world, await emptyDatabase(world), manifest)
})

test('a restore that fails in the middle leaves the database empty', async ({ world }) => {
  const manifest = await backUp(world)
  const url = await emptyDatabase(world)
  const stop = new AbortController()
  const passwords = readPasswords({ env: world.environment, secretsDir: dir })
  const loading = loadDatabase(
    { path: path(), identities: [] },
    {
      url,
      passwords,
      ownCluster: false,
      manifest,
      signal: stop.signal,
      onProgress: (line) => line.includes('worker_types') && stop.abort(),
    },
  )
  await expect(loading).rejects.toThrow('aborted')
  expect(await tableCount(url)).toEqual([{ count: '0' }])
  expect(await queryRows(url, `select from pg_proc where pronamespace = 'public'::regnamespace`)).toEqual([])
  await load(world, url, manifest)
})

test('a backup of a newer schema, and one of another schema, are refused in a sentence', async ({
  world,
}) => {
  const manifest = await backUp(world)
  const newer = { ...manifest, release: '9.0.0', migrations: [{ name: '9999_more.sql', checksum: '' }] }
  expect(() => assertKnownSchema(newer)).toThrow(
    'does not know its migration 9999_more.sql: restore it with release 9.0.0 or a newer one.',
  )
  const [first] = manifest.migrations
  const other = { ...manifest, migrations: [{ ...first!, checksum: 'other' }] }
  const url = await emptyDatabase(world)
  await expect(load(world, url, other)).rejects.toThrow(/^The backup was made with another 0001_schema.sql/)
  expect(await tableCount(url)).toEqual([{ count: '0' }])
})

test('a backup of a database with a damaged index is refused in a sentence', async ({ world }) => {
  await runStatements(world.url, 'alter table settings drop constraint settings_pkey')
  await runStatements(world.url, `insert into settings (name, value) values ('twice', '1'), ('twice', '2')`)
  const manifest = await backUp(world)
  await runStatements(world.url, `delete from settings where name = 'twice'`)
  await runStatements(world.url, 'alter table settings add primary key (name)')
  const loading = load(world, await emptyDatabase(world), manifest)
  await expect(loading).rejects.toThrow(UnusableBackup)
  await expect(loading).rejects.toThrow(
    / cannot be restored \(duplicate key .*\): use an older backup, and repair /,
  )
})

const readStops = (url: string) =>
  queryRows<{ id: string; what: string }>(
    url,
    `select value ->> 'id' as id, concat(value ->> 'why', at) as what from settings where name = 'withdrawals_paused'
     union all select id::text, concat(wallet, reason, who, at) from frozen_wallets order by what`,
  )

test('a restored pause and a restored freeze have new ids, which no act names that was signed before', async ({
  world,
}) => {
  const { wallet } = await world.player({ deposited: 5 })
  const now = world.clock.now()
  await pauseWithdrawals(world.db, { why: 'A test.', now })
  await world.db.transaction((tx) => freezeWallet(tx, { wallet, reason: 'A check.', who: 'ana', now }))
  const manifest = await backUp(world)
  const url = await emptyDatabase(world)
  await load(world, url, manifest)
  const before = await readStops(world.url)
  const after = await readStops(url)
  expect(before).toHaveLength(2)
  expect(after.map(({ what }) => what)).toEqual(before.map(({ what }) => what))
  expect(new Set([...before, ...after].map(({ id }) => id)).size).toBe(4)
})
