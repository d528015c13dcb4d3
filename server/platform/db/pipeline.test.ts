import { type AddressInfo, connect, createServer } from 'node:net'
import { expect } from 'vitest'
import { test } from '#tests/support/test-world.ts'
import { openDb, rowOf, sql } from './db.ts'

const putSetting = sql({
  name: 'test-pipeline-put',
  params: { name: 'text' },
  text: ({ name }) => `insert into settings (name, value) values (${name}, '1')`,
})
const countSettings = sql({
  name: 'test-pipeline-count',
  params: { name: 'text' },
  row: rowOf<{ count: bigint }>(),
  text: ({ name }) => `select count(*) as count from settings where name = ${name}`,
})
const divide = sql({
  name: 'test-pipeline-divide',
  params: { divisor: 'integer' },
  row: rowOf<{ one: number }>(),
  text: ({ divisor }) => `select 1 / ${divisor} as one`,
})
const readTwo = sql({ name: 'test-pipeline-two', row: rowOf<{ two: number }>(), text: 'select 2 as two' })
const wrong = sql({ name: 'test-pipeline-wrong', text: 'select nothing from nowhere' })

test('statements of one pipeline run in the order of the calls, each after the previous one', async ({
  world,
}) => {
  const counts = await world.db.transaction((tx) => {
    const before = tx.rows(countSettings, { name: 'in-order' })
    tx.send(putSetting, { name: 'in-order' })
    return Promise.all([before, tx.rows(countSettings, { name: 'in-order' })])
  })
  expect(counts.map(([row]) => row!.count)).toEqual([0n, 1n])
})

test('a statement whose first use on a connection fails can be used on it later', async ({ world }) => {
  const db = openDb(world.url, { max: 1, applicationName: 'test' })
  const failing = db.transaction(async (tx) => {
    tx.send(divide, { divisor: 0 })
    await tx.rows(countSettings, { name: 'anything' })
  })
  await expect(failing).rejects.toMatchObject({ code: '22012' })
  expect(await db.rows(countSettings, { name: 'anything' })).toEqual([{ count: 0n }])
  expect(await db.rows(divide, { divisor: 1 })).toEqual([{ one: 1 }])
  await db.end()
})

test('a statement after a failed one is prepared at its next use', async ({ world }) => {
  const db = openDb(world.url, { max: 1, applicationName: 'test' })
  for (const divisor of [0, 0, 1]) {
    const work = db.transaction((tx) => Promise.all([tx.rows(divide, { divisor }), tx.rows(readTwo)]))
    if (divisor === 0) await expect(work).rejects.toMatchObject({ code: '22012' })
    else expect(await work).toEqual([[{ one: 1 }], [{ two: 2 }]])
  }
  for (let time = 0; time < 2; time++) {
    await expect(db.transaction((tx) => tx.rows(wrong))).rejects.toMatchObject({ code: '42P01' })
  }
  expect(await db.transaction((tx) => tx.rows(readTwo))).toEqual([{ two: 2 }])
  await db.end()
})

test('a transaction takes two round trips: its reads with the begin, its writes with the commit', async ({
  world,
}) => {
  const { hostname, port } = new URL(world.url)
  const received: Buffer[] = []
  const proxy = createServer((socket) => {
    const server = connect(Number(port), hostname)
    server.on('data', (bytes) => received.push(bytes))
    socket.pipe(server).pipe(socket)
    for (const each of [socket, server]) each.on('error', () => {})
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const proxied = new URL(world.url)
  proxied.port = String((proxy.address() as AddressInfo).port)
  const db = openDb(proxied.href, { max: 1, applicationName: 'test' })
  await db.rows(countSettings, { name: 'warm' })
  received.length = 0
  await db.transaction(async (tx) => {
    await Promise.all([
      tx.rows(countSettings, { name: 'a' }),
      tx.rows(readTwo),
      tx.rows(countSettings, { name: 'b' }),
    ])
    tx.send(putSetting, { name: 'with-commit' })
    tx.send(putSetting, { name: 'with-commit-too' })
  })
  // Postgres sends ReadyForQuery once for each Sync.
  expect(messageTypes(Buffer.concat(received)).filter((type) => type === 'Z')).toHaveLength(2)
  await db.end()
  proxy.close()
})

/** The types of the messages from Postgres (PostgreSQL, "Message Formats"). */
function messageTypes(bytes: Buffer): string[] {
  const types: string[] = []
  for (let at = 0; at < bytes.length; at += 1 + bytes.readUInt32BE(at + 1))
    types.push(String.fromCharCode(bytes[at]!))
  return types
}
