import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { renewAddressOffer } from '#server/deposits/retire-addresses.ts'
import { takeDepositAddress } from '#server/deposits/take-address.ts'
import { startPostgres } from '#server/processes/postgres/postgres.ts'
import { openDb, rowOf, sql, UnknownOutcomeError } from '#server/platform/db/db.ts'
import { type BreakableDatabase, breakableDatabase } from '#tests/support/breakable-database.ts'
import { waitUntil } from '#tests/support/chain-test-world.ts'
import { call, logIn, serveApp, signLogin } from '#tests/support/serve-app.ts'
import { runStatements } from '#tests/support/test-postgres.ts'
import { test as withWorld, type TestWorld } from '#tests/support/test-world.ts'
import type { TestPlayer } from '#tests/support/test-player.ts'

type Broken = BreakableDatabase & { app: FastifyInstance }

const test = withWorld.extend('broken', { scope: 'file' }, async ({ world }, { onCleanup }) => {
  const database = await breakableDatabase(world.urlFor('api'))
  const db = openDb(database.url, { max: 4, applicationName: 'test-broken' })
  const app = await serveApp({ ...world, db })
  onCleanup(async () => {
    await app.close()
    await db.end()
    await database.close()
  })
  const broken: Broken = { ...database, app }
  return broken
})

const countHires = sql({
  name: 'test-count-hires',
  params: { wallet: 'text' },
  row: rowOf<{ hires: number }>(),
  text: ({ wallet }) => `select count(*)::integer as hires from workers where wallet = ${wallet}`,
})
const hiresOf = async (world: TestWorld, { wallet }: TestPlayer): Promise<number> =>
  (await world.db.rows(countHires, { wallet }))[0]!.hires

const readBalance = sql({
  name: 'test-read-balance',
  params: { wallet: 'text' },
  row: rowOf<{ balance: bigint }>(),
  text: ({ wallet }) => `select sum(balance)::bigint as balance from accounts where wallet = ${wallet}`,
})
const balanceOf = async (world: TestWorld, { wallet }: TestPlayer): Promise<bigint> =>
  (await world.db.rows(readBalance, { wallet }))[0]!.balance

type Key = { 'idempotency-key'?: string }

async function employer(world: TestWorld, app: FastifyInstance) {
  const player = await world.player({ deposited: 1_000_000 })
  const token = await logIn(app, player)
  const hire = (headers: Key) =>
    call(app, 'POST', '/api/workers/purchase', {
      token,
      headers,
      body: { walletAddress: player.wallet, workerType: 'kid' },
    })
  return { player, hire }
}

test('a request whose commit broke, before or after Postgres got it, happens once and is answered', async ({
  world,
  broken,
}) => {
  for (const when of ['before', 'after'] as const) {
    const { player, hire } = await employer(world, broken.app)
    broken.breakNextCommit(when)
    const answer = await hire({ 'idempotency-key': `broken-${when}` })
    expect([answer.status, answer.body.success]).toEqual([200, true])
    expect(await hiresOf(world, player)).toBe(1)
  }
})

test('while the database stays away, a request in doubt is never answered as failed', async ({
  world,
  broken,
}) => {
  const { player, hire } = await employer(world, broken.app)
  broken.breakNextCommit('after', { thenGoAway: true })
  const answer = await hire({ 'idempotency-key': 'in-doubt-1' })
  expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([
    503,
    'unknown_outcome',
    '1',
  ])
  expect(answer.body.message).toBe(
    'We do not know yet whether this happened. Repeat it only with the same idempotency key, or check your history first.',
  )
  // Nothing of this one was sent, so it has not happened.
  const later = await hire({ 'idempotency-key': 'away-0001' })
  expect([later.status, later.body.code, later.headers['retry-after']]).toEqual([503, 'busy', '1'])

  broken.restore()
  const repeated = await hire({ 'idempotency-key': 'in-doubt-1' })
  expect([repeated.status, repeated.body.success]).toEqual([200, true])
  expect(await hiresOf(world, player)).toBe(1)
})

test('a request without a key is not repeated: its outcome stays unknown', async ({ world, broken }) => {
  const { player, hire } = await employer(world, broken.app)
  broken.breakNextCommit('after')
  const answer = await hire({})
  expect([answer.status, answer.body.code]).toEqual([503, 'unknown_outcome'])
  await waitUntil(async () => (await hiresOf(world, player)) === 1)
})

test('after a server that panics at the commit, nothing is answered as failed or done twice', async ({
  world,
  broken,
}) => {
  const keyed = await employer(world, broken.app)
  broken.panicAtNextCommit()
  const answer = await keyed.hire({ 'idempotency-key': 'panicked-1' })
  expect([answer.status, answer.body.success]).toEqual([200, true])
  expect(await hiresOf(world, keyed.player)).toBe(1)

  const two = [await employer(world, broken.app), await employer(world, broken.app)]
  broken.panicAtNextCommit()
  const answers = await Promise.all(two.map(({ hire }) => hire({})))
  expect(answers.map(({ body }) => body.code)).toContain('unknown_outcome')
  for (const [at, { player }] of two.entries()) {
    expect([200, 503]).toContain(answers[at]!.status)
    await waitUntil(async () => (await hiresOf(world, player)) === 1)
  }
})

test('a withdrawal whose commit broke holds its amount once, with one withdrawal', async ({
  world,
  broken,
}) => {
  const withKey = { 'idempotency-key': 'withdraw-1' }
  for (const [when, headers, status] of [
    ['before', withKey, 200],
    ['after', withKey, 200],
    ['after', {}, 503],
  ] as const) {
    const player = await world.player({ deposited: 100 })
    const token = await logIn(broken.app, player)
    const { body } = await call(broken.app, 'POST', '/api/users/withdrawals/challenge', {
      token,
      body: { amount: 40 },
    })
    const message = String(body.message)
    const signature = player.sign(message).toString('base64')
    const withdrawal = { token, headers, body: { amount: 40, message, signature } }
    broken.breakNextCommit(when)
    const answer = await call(broken.app, 'POST', '/api/users/withdrawals', withdrawal)
    expect([when, answer.status, answer.body.code]).toEqual([
      when,
      status,
      status === 503 ? 'unknown_outcome' : undefined,
    ])
    await waitUntil(async () => {
      const { body: list } = await call(broken.app, 'GET', '/api/users/withdrawals', { token })
      return (list.withdrawals as unknown[]).length === 1
    })
    expect(await balanceOf(world, player)).toBe(60_000_000n)
  }
})

test('a login whose commit broke opens one session, and its token works', async ({ world, broken }) => {
  for (const when of ['before', 'after'] as const) {
    const player = await world.player()
    const { body } = await call(broken.app, 'POST', '/api/users/nonce', {
      body: { walletAddress: player.wallet },
    })
    broken.breakNextCommit(when)
    const login = { body: signLogin(player, String(body.message)) }
    const answer = await call(broken.app, 'POST', '/api/users/verify-wallet', login)
    expect(answer.status).toBe(200)
    const sessions = await call(broken.app, 'GET', '/api/users/sessions', {
      token: String(answer.body.token),
    })
    expect((sessions.body.sessions as unknown[]).length).toBe(1)
    // Another caller with the same signature is still refused.
    const replay = await call(broken.app, 'POST', '/api/users/verify-wallet', login)
    expect([replay.status, replay.body.code]).toEqual([401, 'login_expired'])
  }
})

withWorld('a commit that no standby confirmed is not acknowledged', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cotton-farm-standby-'))
  const postgres = await startPostgres({ dataDir, settings: ['shared_buffers=32MB', 'max_wal_size=64MB'] })
  const db = openDb(postgres.url, { max: 1, applicationName: 'test-unconfirmed' })
  await runStatements(postgres.url, 'create table notes (text text)')
  await runStatements(
    postgres.url,
    `create table deposit_addresses (index int, owner text, token_account text, wallet text, assigned_at timestamptz,
       assigned_slot bigint, retired_at timestamptz)`,
  )
  await runStatements(postgres.url, `insert into deposit_addresses values (1, 'owner', 'account')`)
  await runStatements(
    postgres.url,
    'create table settings (name text primary key, value jsonb, at timestamptz)',
  )
  await db.transaction((tx) => renewAddressOffer(tx, new Date()))
  await runStatements(postgres.url, `alter system set synchronous_standby_names = 'absent'`)
  await runStatements(postgres.url, 'select pg_reload_conf()')
  const failureOf = async (write: () => Promise<unknown>): Promise<unknown> => {
    const writing = write().then(
      () => null,
      (error: unknown) => error,
    )
    let settled = false
    void writing.then(() => (settled = true))
    await waitUntil(async () => {
      await runStatements(
        postgres.url,
        `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
      )
      return settled
    })
    return writing
  }
  const note = sql({ name: 'test-note', text: `insert into notes values ('a')` })
  const writeNote = () => db.transaction(async (tx) => tx.send(note))
  const takeAddress = () => takeDepositAddress(db, { wallet: 'wallet', now: new Date() })
  // Until Postgres has applied the setting, commits succeed.
  await waitUntil(async () => (await failureOf(writeNote)) !== null)
  expect(await failureOf(writeNote)).toBeInstanceOf(UnknownOutcomeError)
  expect(await failureOf(takeAddress)).toBeInstanceOf(UnknownOutcomeError)
  await db.end()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
})
