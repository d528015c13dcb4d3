import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitUntil } from '#tests/support/chain-test-world.ts'
import { runStatements } from '#tests/support/test-postgres.ts'
import { startTwoServers, type TwoServers } from '#tests/support/two-servers.ts'
import { openNotifyBus } from '#server/realtime/notify-bus.ts'
import { pino } from 'pino'
import { changeDatabaseUrl, findUrlProblem, urlsOfHosts } from './database-url.ts'
import { isDatabaseUnavailable, openDb, rowOf, sql } from './db.ts'
import { withLogin } from './roles.ts'
import { waitForDatabase } from './wait-for-database.ts'

const addNote = sql({
  name: 'test-add-note',
  params: { text: 'text' },
  text: ({ text }) => `insert into notes values (${text})`,
})
const readPort = sql({
  name: 'test-read-port',
  row: rowOf<{ port: string }>(),
  text: `select current_setting('port') as port`,
})

let servers: TwoServers

beforeAll(async () => {
  servers = await startTwoServers((url) => runStatements(url, 'create table notes (text text)'))
})
afterAll(() => servers.close())

test('several hosts are named like in libpq, also with another login or database', () => {
  const url = 'postgres://farm:a%40b@h1:5432,[::1]:5433,h3/game?target_session_attrs=read-write'
  expect(urlsOfHosts(url)).toEqual([
    'postgres://farm:a%40b@h1:5432/game?target_session_attrs=read-write',
    'postgres://farm:a%40b@[::1]:5433/game?target_session_attrs=read-write',
    'postgres://farm:a%40b@h3/game?target_session_attrs=read-write',
  ])
  expect(withLogin(url, { name: 'api', password: 'p:/@w%41' })).toBe(
    'postgres://api:p%3A%2F%40w%2541@h1:5432,[::1]:5433,h3/game?target_session_attrs=read-write',
  )
  const moved = changeDatabaseUrl('postgres://h1,h2/game', (parsed) =>
    Object.assign(parsed, { pathname: '/other' }),
  )
  expect(moved).toBe('postgres://h1,h2/other')
  expect(urlsOfHosts('postgres://a@h1:5432/game')).toEqual(['postgres://a@h1:5432/game'])
  expect(findUrlProblem(url)).toBe(null)
  expect(findUrlProblem('postgres://a@h1:x,h2/game')).toMatch(/an address like/)
  expect(findUrlProblem('postgres://a@h1,,h2/game')).toMatch(/an address like/)
  expect(findUrlProblem('postgres://h1,h2/game?target_session_attrs=standby')).toMatch(/read-write/)
})

test('pools, single connections and notifications find the server that accepts writes, after a failover too', async () => {
  const db = openDb(servers.url, { max: 3, applicationName: 'test' })
  let connects = 0
  const bus = openNotifyBus({
    url: servers.url,
    log: pino({ level: 'silent' }),
    receive: () => {},
    connected: () => void (connects += 1),
  })
  const [standbyPort, primaryPort] = urlsOfHosts(servers.url).map((each) => new URL(each).port)
  await db.transaction(async (tx) => tx.send(addNote, { text: 'before' }))
  expect(await db.rows(readPort)).toEqual([{ port: primaryPort }])
  await waitUntil(async () => connects === 1)

  await servers.stopPrimary()
  const lost = await db
    .transaction(async (tx) => tx.send(addNote, { text: 'lost' }))
    .catch((error: unknown) => error)
  expect(isDatabaseUnavailable(lost), String(lost)).toBe(true)
  const waiting = waitForDatabase({ url: servers.url, applicationName: 'test', waitMs: 10_000 })
  await servers.promoteStandby()
  await (await waiting).end()

  await db.transaction(async (tx) => tx.send(addNote, { text: 'after' }))
  expect(await db.rows(readPort)).toEqual([{ port: standbyPort }])
  await waitUntil(async () => connects === 2)
  await bus.stop()
  await db.end()
})

test('while no server accepts writes, the refusal names each of them and no password', async () => {
  const url = 'postgres://farm:secret@127.0.0.1:1,127.0.0.1:2/game'
  await expect(waitForDatabase({ url, applicationName: 'test', waitMs: 0 })).rejects.toThrow(
    /^The database of DATABASE_URL cannot be reached: no server accepts writes: 127\.0\.0\.1:1 connect ECONNREFUSED[^;]*; 127\.0\.0\.1:2 connect ECONNREFUSED [^;]*\.$/,
  )
})
