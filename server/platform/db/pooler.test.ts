import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { NO_PGBOUNCER, startPgBouncer } from '#tests/support/pgbouncer.ts'
import { sharedPostgres } from '#tests/support/test-postgres.ts'
import { checkLogin } from './check-login.ts'
import { isDatabaseUnavailable, openDb, rowOf, sql, UnknownOutcomeError } from './db.ts'
import type { RoleName } from './roles.ts'

// One connection to Postgres for each login, which all clients share.
const ONE = { default_pool_size: '1' }

const shared = sharedPostgres()
const pooler = await startPgBouncer({ url: shared.url, settings: ONE })
if (!pooler) process.stderr.write(`Not tested: ${NO_PGBOUNCER}\n`)

let database: FreshDatabase
const urlFor = (name: RoleName): string => pooler!.through(database.directUrlFor(name))
const openAs = (role: RoleName, maxSilenceMs = 10_000) =>
  openDb(urlFor(role), { max: 1, applicationName: 'test', maxSilenceMs })

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(async () => {
  await pooler?.stop()
  await database.drop()
})

const readBackend = sql({
  name: 'test-pooler-backend',
  row: rowOf<{ pid: number; plans: string; timeout: string }>(),
  text: `select pg_backend_pid() as pid, current_setting('plan_cache_mode') as plans,
      current_setting('statement_timeout') as timeout`,
})
const divide = sql({
  name: 'test-pooler-divide',
  params: { divisor: 'integer' },
  row: rowOf<{ one: number }>(),
  text: ({ divisor }) => `select 1 / ${divisor} as one`,
})
const readTwo = sql({ name: 'test-pooler-two', row: rowOf<{ two: number }>(), text: 'select 2 as two' })

test.runIf(pooler)('the settings of each login are in force through a pooler', async () => {
  for (const role of ['api', 'watcher', 'signer'] as const) {
    await checkLogin({ role, url: urlFor(role), waitMs: 0 })
    const db = openAs(role)
    expect(await db.rows(readBackend)).toMatchObject([{ plans: 'force_generic_plan', timeout: '20s' }])
    await db.end()
  }
})

test.runIf(pooler)('named statements of several clients share one connection to Postgres', async () => {
  const clients = Array.from({ length: 5 }, () => openAs('api'))
  const pids = new Set<number | undefined>()
  for (let round = 0; round < 3; round++) {
    const answers = clients.map((db) =>
      db.transaction(async (tx) => {
        const [backend, two] = await Promise.all([tx.rows(readBackend), tx.rows(readTwo)])
        expect(two).toEqual([{ two: 2 }])
        return backend[0]?.pid
      }),
    )
    for (const pid of await Promise.all(answers)) pids.add(pid)
  }
  expect(pids.size).toBe(1)
  for (const db of clients) await db.end()
})

test.runIf(pooler)('a statement that was skipped after a failed one can be used later', async () => {
  const db = openAs('watcher')
  for (const divisor of [0, 0, 1]) {
    const work = db.transaction((tx) => Promise.all([tx.rows(divide, { divisor }), tx.rows(readTwo)]))
    if (divisor === 0) await expect(work).rejects.toMatchObject({ code: '22012' })
    else expect(await work).toEqual([[{ one: 1 }], [{ two: 2 }]])
  }
  await db.end()
})

test.runIf(pooler)('a way that leads to a pooler is recognised where a session is needed', async () => {
  const check = (url: string) => checkLogin({ role: 'api', url, waitMs: 0, needsSession: true })
  await expect(check(urlFor('api'))).rejects.toThrow(
    'The database is reached through a pooler here, and a session is needed: set DATABASE_DIRECT_URL to the address of Postgres itself.',
  )
  await check(database.directUrlFor('api'))
})

test.runIf(pooler)('a pooler that refuses a login is no outage', async () => {
  const url = Object.assign(new URL(urlFor('api')), { password: 'wrong' }).href
  await expect(checkLogin({ role: 'api', url, waitMs: 20_000 })).rejects.toThrow(
    /^The database of DATABASE_URL refuses the login "api"/,
  )
})

test.runIf(pooler)(
  'a server that falls silent is unavailable within the limit, and in doubt after a commit',
  async () => {
    const db = openAs('signer', 1_500)
    await db.transaction((tx) => tx.rows(readTwo))
    pooler!.signal('SIGSTOP')
    try {
      const error = await db.rows(readTwo).catch((reason: unknown) => reason)
      expect(isDatabaseUnavailable(error), String(error)).toBe(true)
    } finally {
      pooler!.signal('SIGCONT')
    }
    const committing = db.transaction(async (tx) => {
      await tx.rows(readTwo)
      pooler!.signal('SIGSTOP')
    })
    await expect(committing).rejects.toThrow(UnknownOutcomeError)
    pooler!.signal('SIGCONT')
    const reading = db.transaction(async (tx) => {
      await tx.rows(readTwo)
      pooler!.signal('SIGSTOP')
      await tx.rows(readTwo)
    })
    const error = await reading.catch((reason: unknown) => reason)
    pooler!.signal('SIGCONT')
    expect(isDatabaseUnavailable(error), String(error)).toBe(true)
    expect(error).not.toBeInstanceOf(UnknownOutcomeError)
    expect(await db.rows(readTwo)).toEqual([{ two: 2 }])
    await db.end()
  },
)
