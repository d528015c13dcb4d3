import { type AddressInfo, createServer } from 'node:net'
import { expect } from 'vitest'
import { isUnavailable, openDb, sql } from './db.ts'
import { test } from '#tests/support/world.ts'

const putSetting = sql('test-put-setting', `insert into settings (name, value) values ($1, '1')`)
const readSettings = sql(
  'test-read-settings',
  `select name from settings where name like $1 || '%' order by name`,
)
const readNow = sql('test-read-now', 'select count(*) as count from settings where name = $1')

test('a write that nobody waits for fails the transaction with its own error, and nothing is left of it', async ({
  world,
}) => {
  const twice = world.db.transaction(async (tx) => {
    void tx.rows(putSetting, ['lost-first'])
    void tx.rows(putSetting, ['lost-twice'])
    void tx.rows(putSetting, ['lost-twice'])
    void tx.rows(putSetting, ['lost-last'])
    return 'done'
  })
  await expect(twice).rejects.toMatchObject({ code: '23505' })
  expect(await world.db.rows(readSettings, ['lost-'])).toEqual([])
})

test('a transaction that gives up after its writes leaves nothing, and its connection is of use', async ({
  world,
}) => {
  const db = openDb(world.url, { max: 1, applicationName: 'test' })
  const gaveUp = db.transaction(async (tx) => {
    void tx.rows(putSetting, ['given-up'])
    throw new Error('no')
  })
  await expect(gaveUp).rejects.toThrow('no')
  expect(await db.rows(readSettings, ['given-up'])).toEqual([])
  await db.transaction((tx) => tx.rows(putSetting, ['taken-up']))
  expect(await db.rows(readSettings, ['taken-up'])).toEqual([{ name: 'taken-up' }])
  await db.end()
})

test('statements that are asked for at once run in the order of the calls, each seeing those before it', async ({
  world,
}) => {
  const counts = await world.db.transaction((tx) => {
    const before = tx.rows<{ count: bigint }>(readNow, ['in-order'])
    void tx.rows(putSetting, ['in-order'])
    return Promise.all([before, tx.rows<{ count: bigint }>(readNow, ['in-order'])])
  })
  expect(counts.map(([row]) => row!.count)).toEqual([0n, 1n])
})

test('a statement that fails at its first use on a connection is of use there later', async ({ world }) => {
  const db = openDb(world.url, { max: 1, applicationName: 'test' })
  const failing = db.transaction(async (tx) => {
    void tx.rows(sql('test-fails', 'select 1 / $1::integer'), [0])
    await tx.rows(readSettings, ['anything'])
  })
  await expect(failing).rejects.toMatchObject({ code: '22012' })
  expect(await db.rows(readSettings, ['anything'])).toEqual([])
  await db.end()
})

test('a server that ends a connection in the moment in which it makes it fails a call, and not the process', async () => {
  // Welcome, ready, and good-bye in one piece (PostgreSQL, "Message Formats").
  const goodbye = 'SFATAL\0C57P01\0Mterminating connection\0\0'
  const farewell = Buffer.concat([
    Buffer.from('R\0\0\0\x08\0\0\0\0', 'latin1'),
    Buffer.from('Z\0\0\0\x05I', 'latin1'),
    Buffer.from(`E\0\0\0${String.fromCharCode(goodbye.length + 4)}${goodbye}`, 'latin1'),
  ])
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(farewell))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `postgres://api:x@127.0.0.1:${(server.address() as AddressInfo).port}/game`
  const db = openDb(url, { max: 1, applicationName: 'test' })
  const failed = await db.transaction((tx) => tx.rows(readSettings, ['x'])).catch((error: unknown) => error)
  expect(isUnavailable(failed), String(failed)).toBe(true)
  await db.end()
  server.close()
})
