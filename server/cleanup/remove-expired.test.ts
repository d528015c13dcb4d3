import { pino } from 'pino'
import { expect } from 'vitest'
import { readLastSeen } from '#server/account/read-last-seen.ts'
import { type Db, openDb, rowOf, sql } from '#server/platform/db/db.ts'
import { interceptStatements } from '#tests/support/intercept-statements.ts'
import { rawSql } from '#tests/support/raw-sql.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { EXPIRING_ROWS } from './expiring-rows.ts'
import { removeExpired, steadyClock } from './remove-expired.ts'

const HOUR_MS = 3_600_000
const log = pino({ level: 'silent' })

const withApi = async (world: TestWorld, work: (db: Db) => Promise<void>): Promise<void> => {
  const db = openDb(world.urlFor('api'), { max: 2, applicationName: 'test' })
  await work(db)
  await db.end()
}

const clean = (world: TestWorld, db: Db, rowsPerStep?: number) =>
  removeExpired({ db, clock: world.clock, log }, { stopping: new AbortController().signal, rowsPerStep })

/** Inserts a row of each kind, `older` milliseconds older than its lifetime. */
const MAKE: Record<string, string> = {
  'idempotency keys': `insert into idempotency_keys (wallet, route, key, body_hash, answer, at) values ('w', '/r', $1, '', '{}', $2)`,
  'sessions that ended': `insert into sessions (token_hash, wallet, created_at, seen_at, ended_at) values ($1::text::bytea, 'w', $2, $2, $2)`,
  'sessions that are too old': `insert into sessions (token_hash, wallet, created_at, seen_at) values ($1::text::bytea, 'w', $2, $2)`,
  'used login nonces': `insert into nonces (wallet, nonce, expires_at) values ('w', $1, $2)`,
  'failed logins': `insert into login_failures (name, count, at) values ($1::text::bytea, 1, $2)`,
  'withdrawal challenges': `insert into withdrawal_challenges (nonce, wallet, amount, expires_at) values ($1, 'w', 1, $2)`,
  'deposits that nobody signed': `insert into prepared_deposits (message_hash, wallet, amount, at) values ($1::text::bytea, 'w', 1, $2)`,
}

const COUNT = `select (select count(*) from idempotency_keys) + (select count(*) from sessions)
  + (select count(*) from nonces) + (select count(*) from withdrawal_challenges) + (select count(*) from prepared_deposits)
  + (select count(*) from login_failures) as rows`

const rowsLeft = async (world: TestWorld): Promise<bigint> =>
  (await world.db.rows(sql({ name: 'test-cleanup-count', row: rowOf<{ rows: bigint }>(), text: COUNT })))[0]!
    .rows

for (const { name, lifetimeMs } of EXPIRING_ROWS) {
  test(`${name} are removed after their lifetime, and not a minute before`, async ({ world }) => {
    const make = (key: string, at: Date) =>
      world.db.rows(rawSql({ name: `test-make-${name}`, text: MAKE[name]! }, [key, at]))
    const now = world.clock.now().getTime()
    await make('old', new Date(now - lifetimeMs - 60_000))
    await make('young', new Date(now - lifetimeMs + 60_000))
    await withApi(world, (db) => clean(world, db))
    expect(await rowsLeft(world)).toBe(1n)
    world.clock.advance(120_000)
    await withApi(world, (db) => clean(world, db))
    expect(await rowsLeft(world)).toBe(0n)
  })
}

test('every kind of row lives as long as the operator reads', () => {
  // docs/operate/database.md. A used nonce that is removed too early could be used again, and a session ends with its row.
  const minutes = EXPIRING_ROWS.map(({ name, lifetimeMs }) => [name, lifetimeMs / 60_000])
  expect(Object.fromEntries(minutes)).toEqual({
    'idempotency keys': 48 * 60,
    'sessions that ended': 72 * 60,
    // An hour more than a session is valid.
    'sessions that are too old': (7 * 24 + 1) * 60,
    'used login nonces': 10,
    'failed logins': 10,
    'withdrawal challenges': 10,
    'deposits that nobody signed': 10,
  })
})

test('many rows are removed in small steps, and a locked row does not block the others', async ({
  world,
}) => {
  const old = new Date(world.clock.now().getTime() - 100 * HOUR_MS)
  await world.db.rows(
    sql({
      name: 'test-many-keys',
      params: { old: 'timestamptz' },
      text: ({ old }) =>
        `insert into idempotency_keys (wallet, route, key, body_hash, answer, at)
         select 'w ' || n, '/r', 'k', '', '{}', ${old} from generate_series(1, 250) n`,
    }),
    { old },
  )
  const steps: number[] = []
  await world.db.transaction(async (tx) => {
    await tx.rows(
      sql({ name: 'test-hold-key', text: `select from idempotency_keys where wallet = 'w 7' for update` }),
    )
    await withApi(world, async (db) => {
      const counting: Db = {
        ...db,
        transaction: (work) =>
          db.transaction((on) =>
            work(
              interceptStatements(on, async (_statement, run) => {
                const rows = await run()
                const { removed } = (rows[0] ?? {}) as { removed?: number }
                if (removed) steps.push(removed)
                return rows
              }),
            ),
          ),
      }
      await clean(world, counting, 100)
    })
  })
  expect(steps).toEqual([100, 100, 49])
  await withApi(world, (db) => clean(world, db))
  expect(await rowsLeft(world)).toBe(0n)
})

test('of two concurrent cleanups one does nothing, and neither waits', async ({ world }) => {
  const nonce = { name: 'test-one-nonce', text: MAKE['used login nonces']! }
  await world.db.rows(rawSql(nonce, ['used', new Date('2020-01-01')]))
  await world.db.transaction(async (tx) => {
    await tx.rows(sql({ name: 'test-take-cleanup', text: 'select pg_advisory_xact_lock(4032019)' }))
    await withApi(world, (db) => clean(world, db))
    expect(await rowsLeft(world)).toBe(1n)
  })
  await withApi(world, (db) => clean(world, db))
  expect(await rowsLeft(world)).toBe(0n)
})

test('the last visit of a player is known after their thousand sessions are removed', async ({ world }) => {
  const { wallet } = await world.player()
  const now = world.clock.now()
  await world.db.rows(
    sql({
      name: 'test-user',
      params: { wallet: 'text', now: 'timestamptz' },
      text: ({ wallet, now }) => `insert into users (wallet, created_at) values (${wallet}, ${now})`,
    }),
    { wallet, now },
  )
  await world.db.rows(
    sql({
      name: 'test-many-sessions',
      params: { wallet: 'text', newest: 'timestamptz' },
      text: ({ wallet, newest }) =>
        `insert into sessions (token_hash, wallet, created_at, seen_at, ended_at)
         select n::text::bytea, ${wallet}, at, at, at from generate_series(1, 1000) n, lateral (select ${newest} - n * interval '1 minute' as at)`,
    }),
    { wallet, newest: new Date(now.getTime() - 80 * HOUR_MS) },
  )
  const own = { wallet, tokenHash: Buffer.from('own') }
  const seen = await readLastSeen(world.db, own)
  expect(seen).toEqual(new Date(now.getTime() - 80 * HOUR_MS - 60_000))
  await withApi(world, (db) => clean(world, db))
  expect(await rowsLeft(world)).toBe(0n)
  expect(await readLastSeen(world.db, own)).toEqual(seen)
})

test('a clock that is set ahead while the api runs changes nothing, and one that is set back is followed', async () => {
  let now = Date.now()
  const steady = steadyClock({ now: () => new Date(now) })
  now += 49 * HOUR_MS
  expect(Math.abs(steady.now().getTime() - Date.now())).toBeLessThan(HOUR_MS)
  now -= 60 * HOUR_MS
  expect(steady.now().getTime()).toBe(now)
})

// The last test: the clock and the rows stay ahead.
test('an api whose clock is ahead of the database removes nothing too early', async ({ world }) => {
  const now = Date.now()
  for (const [name, text] of Object.entries(MAKE))
    await world.db.rows(rawSql({ name: `test-make-${name}`, text }, [name, new Date(now)]))
  world.clock.advance(now + 100 * 24 * HOUR_MS - world.clock.now().getTime())
  await withApi(world, (db) => clean(world, db))
  expect(await rowsLeft(world)).toBe(BigInt(EXPIRING_ROWS.length))
})
