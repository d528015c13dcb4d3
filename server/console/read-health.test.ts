import { expect } from 'vitest'
import { openDb, sql } from '#server/platform/db/db.ts'
import { checkReserve, clearMoney, runSigner, storeSetting } from '#tests/support/money-situations.ts'
import { test } from '#tests/support/test-world.ts'
import { readHealth } from './read-health.ts'

const one = sql({ name: 'test-one', text: 'select 1' })

// A temporary view hides the one of Postgres.
const createStandby = sql({
  name: 'test-create-standby',
  text: `create temp view pg_stat_replication as
    select text 'db2' as application_name, text 'streaming' as state, interval '30 days 0.25 s' as replay_lag`,
})
const dropStandby = sql({ name: 'test-drop-standby', text: 'drop view pg_temp.pg_stat_replication' })

test('a role runs while it has a connection, and the signer only while it also gives signs of life', async ({
  world,
}) => {
  await clearMoney(world)
  const read = () => readHealth(world.db, { now: world.clock.now(), version: '1.2.3' })
  const statesOf = async () => (await read()).roles.map(({ role, state }) => `${role} ${state}`)
  expect(await statesOf()).toEqual(['api silent', 'watcher silent', 'signer silent', 'console silent'])
  const logins = (['watcher', 'signer'] as const).map((role) =>
    openDb(world.directUrlFor(role), { max: 1, applicationName: 'test-health' }),
  )
  for (const db of logins) await db.rows(one)
  expect(await statesOf()).toEqual(['api silent', 'watcher running', 'signer silent', 'console silent'])
  await checkReserve(world)
  await runSigner(world)
  const seenAt = world.clock.now().toISOString()
  const { roles, versions, watcherLagMs } = await read()
  expect(roles).toMatchObject([
    { role: 'api', connections: 0, seenAt: null, detail: 'It has no connection to the database.' },
    { role: 'watcher', connections: 1, seenAt, detail: 'It checks the reserve.' },
    { role: 'signer', state: 'running', connections: 1, seenAt, detail: 'It signs payouts.' },
    { role: 'console', connections: 0 },
  ])
  expect([versions.program, watcherLagMs]).toEqual(['1.2.3', 0])
  world.clock.advance(60 * 60_000)
  expect(await statesOf()).toEqual(['api silent', 'watcher running', 'signer silent', 'console silent'])
  const later = await read()
  expect(later.watcherLagMs).toBe(60 * 60_000)
  expect(later.roles[1]?.detail).toMatch(/^It has not checked the reserve since then: /)
  expect(later.roles[2]?.detail).toMatch(/^It has recorded no heartbeat since then: /)
  await Promise.all(logins.map((db) => db.end()))
  await clearMoney(world)
})

test('the last drill has passed or failed', async ({ world }) => {
  await clearMoney(world)
  const readDrill = async () => {
    const { backups } = await readHealth(world.db, { now: world.clock.now(), version: '1' })
    return [backups.drillAt, backups.drillFailedAt]
  }
  const at = world.clock.now().toISOString()
  expect(await readDrill()).toEqual([null, null])
  await storeSetting(world, 'last_drill', { at, ok: true })
  expect(await readDrill()).toEqual([at, null])
  await storeSetting(world, 'last_drill', { at, ok: false })
  expect(await readDrill()).toEqual([null, at])
  await clearMoney(world)
})

const recordSize = sql({
  name: 'test-record-size',
  params: { hour: 'timestamptz' },
  text: ({
    hour,
  }) => `insert into hourly_totals (hour, players, new_players, claims, hires, parcels, resales, volume,
    deposited, withdrawn, database_bytes) values (${hour}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)`,
})

test('the growth in 24 hours is unknown if no size of about that time is recorded', async ({ world }) => {
  const hoursAgo = (hours: number) => new Date(world.clock.now().getTime() - hours * 3_600_000)
  const readGrowth = async () => {
    const { database } = await readHealth(world.db, { now: world.clock.now(), version: '1' })
    return database.grownBytes === null ? null : database.bytes - database.grownBytes
  }
  for (const hours of [23, 26]) await world.db.rows(recordSize, { hour: hoursAgo(hours) })
  expect(await readGrowth()).toBeNull()
  await world.db.rows(recordSize, { hour: hoursAgo(25) })
  expect(await readGrowth()).toBe(1)
})

test('a standby that is behind by a month does not hide the health of the game', async ({ world }) => {
  const { database } = await world.db.transaction(async (tx) => {
    await tx.rows(createStandby)
    const health = await readHealth(tx, { now: world.clock.now(), version: '1' })
    await tx.rows(dropStandby)
    return health
  })
  const lagMs = 30 * 24 * 3_600_000 + 250
  expect(database.standbys).toEqual([{ name: 'db2', state: 'streaming', lagMs }])
})
