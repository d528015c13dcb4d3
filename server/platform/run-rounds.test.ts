import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { type Db, openDb, rowOf, sql } from './db/db.ts'
import { UnavailableError } from './unavailable-error.ts'
import { startRounds } from './run-rounds.ts'

const NAME = 'test-rounds'

const countOpen = sql({
  name: 'test-count-open',
  params: { name: 'text' },
  row: rowOf<{ open: number }>(),
  text: ({ name }) => `select count(*)::int as open from pg_stat_activity where application_name = ${name}`,
})
const one = sql({ name: 'test-one', text: 'select 1' })

let database: FreshDatabase
let owner: Db
let logged: { level: string; msg: string; failures: number }[]

beforeAll(async () => {
  database = await freshDatabase()
  owner = openDb(database.url, { max: 1, applicationName: 'test-owner' })
})

beforeEach(() => {
  logged = []
})

afterAll(async () => {
  await owner.end()
  await database.drop()
})

const log = pino(
  { level: 'warn', formatters: { level: (level) => ({ level }) } },
  { write: (line: string) => logged.push(JSON.parse(line)) },
)

const settings = () => ({ url: database.url, max: 2, applicationName: NAME, log })

/** Postgres notices the end of a connection with a delay. */
const closed = () => expect.poll(() => owner.rows(countOpen, { name: NAME })).toEqual([{ open: 0 }])

test('a failed round is logged and repeated, and an unavailable dependency is logged as such', async () => {
  const failures = [new UnavailableError('no node answers'), new Error('a bug')]
  let rounds = 0
  const worked = Promise.withResolvers<void>()
  const running = await startRounds(settings(), async (db) => ({
    intervalMs: 1,
    round: async () => {
      rounds += 1
      const failure = failures.shift()
      if (failure) throw failure
      await db.rows(one)
      worked.resolve()
    },
  }))
  await worked.promise
  await running.stop()
  expect(rounds).toBeGreaterThanOrEqual(3)
  expect(logged).toMatchObject([
    { level: 'warn', failures: 1, msg: 'unavailable, trying again' },
    { level: 'error', failures: 2, msg: 'a round failed, trying again' },
  ])
  await closed()
})

test('stop waits for the current round, which still has its database, and starts no other', async () => {
  const began = Promise.withResolvers<AbortSignal>()
  const goOn = Promise.withResolvers<void>()
  let ended = 0
  const running = await startRounds(settings(), async (db) => ({
    intervalMs: 1,
    round: async (stopping) => {
      began.resolve(stopping)
      await goOn.promise
      await db.rows(one)
      ended += 1
    },
  }))
  const stopping = await began.promise
  expect(stopping.aborted).toBe(false)
  let stopped = false
  const stop = running.stop().then(() => (stopped = true))
  expect(stopping.aborted).toBe(true)
  await sleep(50)
  expect({ stopped, ended }).toEqual({ stopped: false, ended: 0 })
  goOn.resolve()
  await stop
  expect(ended).toBe(1)
  expect(logged).toEqual([])
  await closed()
})

test('a stop between two rounds does not wait for the next one', async () => {
  const done = Promise.withResolvers<void>()
  const running = await startRounds(settings(), async () => ({
    intervalMs: 3_600_000,
    round: async () => done.resolve(),
  }))
  await done.promise
  await running.stop()
  await closed()
})

test('a failed start throws the reason and leaves no connection open', async () => {
  const start = startRounds(settings(), async (db) => {
    await db.rows(one)
    throw new Error('another chain')
  })
  await expect(start).rejects.toThrow('another chain')
  await closed()
})
