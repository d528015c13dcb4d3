import { type AddressInfo, connect, createServer } from 'node:net'
import { expect } from 'vitest'
import { isDatabaseUnavailable, openDb, sql } from './db.ts'
import { test } from '#tests/support/test-world.ts'

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

test('a statement that was prepared behind one that failed is prepared when it is next asked for', async ({
  world,
}) => {
  const db = openDb(world.url, { max: 1, applicationName: 'test' })
  const [first, behind] = [
    sql('test-first', 'select 1 / $1::integer as one'),
    sql('test-behind', 'select 2 as two'),
  ]
  for (const divisor of [0, 0, 1]) {
    const work = db.transaction((tx) => Promise.all([tx.rows(first, [divisor]), tx.rows(behind)]))
    if (divisor === 0) await expect(work).rejects.toMatchObject({ code: '22012' })
    else expect(await work).toEqual([[{ one: 1 }], [{ two: 2 }]])
  }
  const mistaken = sql('test-mistaken', 'select nothing from nowhere')
  for (let time = 0; time < 2; time++) {
    await expect(db.transaction((tx) => tx.rows(mistaken))).rejects.toMatchObject({ code: '42P01' })
  }
  expect(await db.transaction((tx) => tx.rows(behind))).toEqual([{ two: 2 }])
  await db.end()
})

test('where one statement cannot even be sent, nothing of its transaction is done', async ({ world }) => {
  const circle: { round?: unknown } = {}
  circle.round = circle
  const work = world.db.transaction(async (tx) => {
    void tx.rows(putSetting, ['unsent-before'])
    void tx.rows(sql('test-unsent', 'select $1::jsonb'), [circle])
    void tx.rows(putSetting, ['unsent-behind'])
  })
  await expect(work).rejects.toThrow('circular')
  expect(await world.db.rows(readSettings, ['unsent-'])).toEqual([])
})

test('what is asked for at once is answered in one piece, the start and the end of a transaction too', async ({
  world,
}) => {
  const { hostname, port } = new URL(world.url)
  const heard: Buffer[] = []
  const proxy = createServer((socket) => {
    const server = connect(Number(port), hostname)
    server.on('data', (bytes) => heard.push(bytes))
    socket.pipe(server).pipe(socket)
    for (const each of [socket, server]) each.on('error', () => {})
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const proxied = new URL(world.url)
  proxied.port = String((proxy.address() as AddressInfo).port)
  const db = openDb(proxied.href, { max: 1, applicationName: 'test' })
  await db.rows(readNow, ['warm'])
  heard.length = 0
  await db.transaction(async (tx) => {
    await Promise.all([tx.rows(readNow, ['a']), tx.rows(readSettings, ['a']), tx.rows(readNow, ['b'])])
    void tx.rows(putSetting, ['in-one-piece'])
    void tx.rows(putSetting, ['in-one-piece-too'])
  })
  expect(kindsOf(Buffer.concat(heard)).filter((kind) => kind === 'Z')).toHaveLength(2)
  await db.end()
  proxy.close()
})

/** The kinds of the messages that Postgres sent (PostgreSQL, "Message Formats"). */
function kindsOf(bytes: Buffer): string[] {
  const kinds: string[] = []
  for (let at = 0; at < bytes.length; at += 1 + bytes.readUInt32BE(at + 1))
    kinds.push(String.fromCharCode(bytes[at]!))
  return kinds
}

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
  expect(isDatabaseUnavailable(failed), String(failed)).toBe(true)
  await db.end()
  server.close()
})
