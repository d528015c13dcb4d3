import { type AddressInfo, createServer } from 'node:net'
import { expect } from 'vitest'
import { AUDIT_TIMEOUT_MS, isDatabaseUnavailable, openDb, rowOf, sql, type Tx } from './db.ts'
import { test } from '#tests/support/test-world.ts'

const putSetting = sql({
  name: 'test-put-setting',
  params: { name: 'text' },
  text: ({ name }) => `insert into settings (name, value) values (${name}, '1')`,
})
const readSettings = sql({
  name: 'test-read-settings',
  params: { prefix: 'text' },
  row: rowOf<{ name: string }>(),
  text: ({ prefix }) => `select name from settings where name like ${prefix} || '%' order by name`,
})
const parseJson = sql({
  name: 'test-unsent',
  params: { value: 'jsonb' },
  text: ({ value }) => `select ${value}`,
})

test('a failed write that nobody awaits fails the transaction with its own error and leaves nothing', async ({
  world,
}) => {
  const twice = world.db.transaction(async (tx) => {
    tx.send(putSetting, { name: 'lost-first' })
    tx.send(putSetting, { name: 'lost-twice' })
    tx.send(putSetting, { name: 'lost-twice' })
    tx.send(putSetting, { name: 'lost-last' })
    return 'done'
  })
  await expect(twice).rejects.toMatchObject({ code: '23505' })
  expect(await world.db.rows(readSettings, { prefix: 'lost-' })).toEqual([])
})

test('a transaction that throws after its writes leaves nothing, and its connection stays usable', async ({
  world,
}) => {
  const db = openDb(world.url, { max: 1, applicationName: 'test' })
  const failing = db.transaction(async (tx) => {
    tx.send(putSetting, { name: 'rolled-back' })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await db.rows(readSettings, { prefix: 'rolled-back' })).toEqual([])
  await db.transaction(async (tx) => tx.send(putSetting, { name: 'committed' }))
  expect(await db.rows(readSettings, { prefix: 'committed' })).toEqual([{ name: 'committed' }])
  await db.end()
})

test('a statement after the end of its transaction is refused, and changes nothing', async ({ world }) => {
  const ended: Tx[] = []
  await world.db.transaction(async (tx) => void ended.push(tx))
  const failing = world.db.transaction(async (tx) => {
    ended.push(tx)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  for (const [at, tx] of ended.entries()) {
    const name = `too-late-${at}`
    expect(() => tx.send(putSetting, { name })).toThrow('before the end of its transaction')
    await expect(async () => tx.rows(putSetting, { name })).rejects.toThrow('before the end')
  }
  expect(await world.db.rows(readSettings, { prefix: 'too-late-' })).toEqual([])
})

test('if one statement cannot be encoded, nothing of its transaction is committed', async ({ world }) => {
  const circle: { round?: unknown } = {}
  circle.round = circle
  const work = world.db.transaction(async (tx) => {
    tx.send(putSetting, { name: 'unsent-before' })
    tx.send(parseJson, { value: circle })
    tx.send(putSetting, { name: 'unsent-after' })
  })
  await expect(work).rejects.toThrow('circular')
  expect(await world.db.rows(readSettings, { prefix: 'unsent-' })).toEqual([])
})

test.for(['40001', '40P01'])(
  'a transaction that Postgres has ended with %s runs again, four times at most',
  async (code, { world }) => {
    const name = `conflict-${code}`
    const endByConflict = sql({
      name: `test-${name}`,
      text: `do $$ begin raise exception 'a conflict' using errcode = '${code}'; end $$`,
    })
    const succeedAt = (last: number): Promise<number> => {
      let attempt = 0
      return world.db.transaction(async (tx) => {
        attempt += 1
        tx.send(putSetting, { name })
        if (attempt < last) await tx.rows(endByConflict)
        return attempt
      })
    }
    await expect(succeedAt(5)).rejects.toMatchObject({ code })
    expect(await world.db.rows(readSettings, { prefix: name })).toEqual([])
    expect(await succeedAt(4)).toBe(4)
    expect(await world.db.rows(readSettings, { prefix: name })).toEqual([{ name }])
  },
)

test('a call that gets no connection within five seconds fails as in an outage, and a later one succeeds', async ({
  world,
}) => {
  const db = openDb(world.url, { max: 1, applicationName: 'test' })
  const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
  const occupying = db.transaction(() => gate)
  const error = await db.rows(readSettings, { prefix: 'occupied-' }).catch((reason: unknown) => reason)
  openGate()
  await occupying
  expect(isDatabaseUnavailable(error), String(error)).toBe(true)
  expect(await db.rows(readSettings, { prefix: 'occupied-' })).toEqual([])
  await db.end()
})

const showTimeout = sql({
  name: 'test-show-timeout',
  row: rowOf<{ value: string }>(),
  text: `select current_setting('statement_timeout') as value`,
})

test('a statement of an audit may take six hours, and one of another command ten minutes', async ({
  world,
}) => {
  const settings = { max: 1, applicationName: 'test', allowFullScans: true }
  const audit = openDb(world.directUrl, { ...settings, fullScanTimeoutMs: AUDIT_TIMEOUT_MS })
  expect(await audit.rows(showTimeout)).toEqual([{ value: '6h' }])
  await audit.end()
  const other = openDb(world.directUrl, settings)
  expect(await other.rows(showTimeout)).toEqual([{ value: '10min' }])
  await other.end()
})

test('a server that ends a connection while it starts fails a call and not the process', async () => {
  // AuthenticationOk, ReadyForQuery and a fatal error in one packet (PostgreSQL, "Message Formats").
  const fatalError = 'SFATAL\0C57P01\0Mterminating connection\0\0'
  const packet = Buffer.concat([
    Buffer.from('R\0\0\0\x08\0\0\0\0', 'latin1'),
    Buffer.from('Z\0\0\0\x05I', 'latin1'),
    Buffer.from(`E\0\0\0${String.fromCharCode(fatalError.length + 4)}${fatalError}`, 'latin1'),
  ])
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(packet))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `postgres://api:x@127.0.0.1:${(server.address() as AddressInfo).port}/game`
  const db = openDb(url, { max: 1, applicationName: 'test' })
  const error = await db
    .transaction((tx) => tx.rows(readSettings, { prefix: 'x' }))
    .catch((reason: unknown) => reason)
  expect(isDatabaseUnavailable(error), String(error)).toBe(true)
  await db.end()
  server.close()
})
