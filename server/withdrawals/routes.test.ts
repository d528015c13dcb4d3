import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { baseUnits, cotton } from '#game/cotton.ts'
import { type Db, rowOf, rowset, sql } from '#server/platform/db/db.ts'
import { call, logIn, serveApp } from '#tests/support/serve-app.ts'
import type { TestPlayer } from '#tests/support/test-player.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { withdrawFrom } from '#tests/support/withdraw-without-chain.ts'
import { requestWithdrawals } from './request-withdrawal.ts'

let app: FastifyInstance
test.beforeAll(async ({ world }) => {
  app = await serveApp(world)
})

const PATH = '/api/users/withdrawals'
const LOCK = '/api/users/withdrawal-lock'

/** A logged-in player with this credit, and calls to the API as that player. */
async function playerWith(world: TestWorld, deposited: number) {
  const player = await world.player({ deposited })
  const token = await logIn(app, player)
  const headers = { 'idempotency-key': randomBytes(16).toString('hex') }
  return {
    player,
    token,
    get: (url: string) => call(app, 'GET', url, { token }),
    post: (url: string, body: object) => call(app, 'POST', url, { token, body }),
    /** The same key in each call. */
    postWithKey: (url: string, body: object) => call(app, 'POST', url, { token, body, headers }),
  }
}

async function signedBody(player: TestPlayer, post: (url: string, body: object) => ReturnType<typeof call>) {
  const { message } = (await post(`${PATH}/challenge`, { amount: 4.5 })).body
  return { amount: 4.5, message, signature: player.sign(String(message)).toString('base64') }
}

const readDetails = sql({
  name: 'test-read-details',
  params: { wallet: 'text' },
  row: rowOf<{ detail: object }>(),
  text: ({ wallet }) => `select detail from journals where wallet = ${wallet} and kind = 'withdrawal'`,
})

test('a withdrawal that is requested twice with one key is held once and answered twice', async ({
  world,
}) => {
  const { player, get, post, postWithKey } = await playerWith(world, 10)
  const body = await signedBody(player, post)
  const requested = await postWithKey(PATH, body)
  const { id } = requested.body.withdrawal as { id: string }
  const withdrawal = {
    id,
    amount: 4.5,
    deposited: 4.5,
    earned: 0,
    state: 'requested',
    reason: null,
    reasons: [],
    signature: null,
    requestedAt: world.clock.now().toISOString(),
    settledAt: null,
    cancelledAt: null,
  }
  expect(requested.body).toEqual({ success: true, withdrawal, newBalance: 5.5 })
  expect((await postWithKey(PATH, body)).body).toEqual(requested.body)
  expect((await post(PATH, body)).body).toMatchObject({ code: 'challenge_expired' })
  expect((await get(PATH)).body).toEqual({ success: true, withdrawals: [withdrawal], next: null })
  expect(await world.db.rows(readDetails, player)).toEqual([{ detail: { withdrawalId: id } }])
})

test('a withdrawal is cancelled through the API, by its id in any case', async ({ world }) => {
  const { player, post, postWithKey } = await playerWith(world, 10)
  const { id } = await withdrawFrom(world, player, cotton(4))
  const body = { withdrawalId: id.toUpperCase() }
  const cancelled = await postWithKey(`${PATH}/cancel`, body)
  expect(cancelled.body).toEqual({
    success: true,
    withdrawal: expect.objectContaining({ id, amount: 4, cancelledAt: world.clock.now().toISOString() }),
  })
  world.clock.advance(1_000)
  expect((await postWithKey(`${PATH}/cancel`, body)).body).toEqual(cancelled.body)
  const unknown = await post(`${PATH}/cancel`, { withdrawalId: '00000000-0000-4000-8000-000000000000' })
  expect(unknown.body).toMatchObject({ success: false, code: 'withdrawal_not_found' })
})

test('a lock is set, weakened and read through the API', async ({ world }) => {
  const { get, post, postWithKey } = await playerWith(world, 10)
  expect((await get(LOCK)).body).toEqual({ success: true, lock: { hours: 0, next: null } })
  const locked = { success: true, lock: { hours: 24, next: null } }
  expect((await postWithKey(LOCK, { hours: 24 })).body).toEqual(locked)
  const at = new Date(world.clock.now().getTime() + 24 * 3_600_000).toISOString()
  const unlocking = { success: true, lock: { hours: 24, next: { hours: 0, at } } }
  expect((await post(LOCK, { hours: 0 })).body).toEqual(unlocking)
  expect((await get(LOCK)).body).toEqual(unlocking)
  expect((await postWithKey(LOCK, { hours: 24 })).body).toEqual(locked)
  expect((await get(LOCK)).body).toEqual(unlocking)
})

test('what can be withdrawn is stated, and less than the smallest withdrawal counts as nothing', async ({
  world,
}) => {
  const { player, get } = await playerWith(world, 10)
  const withdrawable = async () => (await get('/api/users/withdrawable')).body
  expect(await withdrawable()).toEqual({
    success: true,
    withdrawable: 10,
    deposited: 10,
    earned: 0,
    earnedToday: 0,
    needsDeposit: false,
    minimum: 1,
    budgetResetsAt: '2026-01-06T00:00:00.000Z',
    paused: false,
    pause: null,
  })
  await withdrawFrom(world, player, cotton(9))
  expect(await withdrawable()).toMatchObject({ withdrawable: 1, deposited: 1 })
  const { player: other, get: getAsOther } = await playerWith(world, 2)
  await withdrawFrom(world, other, baseUnits(1_500_000n))
  expect((await getAsOther('/api/users/withdrawable')).body).toMatchObject({
    withdrawable: 0,
    deposited: 0.5,
  })
})

test('an amount that no request may name is malformed only for a wallet that has as much', async ({
  world,
}) => {
  const largest = 2 ** 33 - 1
  const challenge = async (deposited: number) => {
    const { post } = await playerWith(world, deposited)
    return (await post(`${PATH}/challenge`, { amount: largest + 1 })).body
  }
  expect(await challenge(largest)).toMatchObject({
    code: 'malformed',
    message: 'amount: must be at most 8,589,934,591',
  })
  expect(await challenge(largest - 1)).toMatchObject({
    code: 'above_balance',
    balance: '8,589,934,590',
    available: '8,589,934,590',
  })
})

const addChallenges = sql({
  name: 'test-add-challenges',
  params: { asked: rowset({ nonce: 'text', wallet: 'text', amount: 'bigint' }), expiresAt: 'timestamptz' },
  text: ({ asked, expiresAt }) => `insert into withdrawal_challenges (nonce, wallet, amount, expires_at)
    select nonce, wallet, amount, ${expiresAt} from ${asked}`,
})

test('a page has 100 withdrawals, and the next begins after its last', async ({ world }) => {
  const { player, get } = await playerWith(world, 101)
  const requests = Array.from({ length: 101 }, () => ({
    wallet: player.wallet,
    amount: cotton(1),
    nonce: randomBytes(16).toString('hex'),
    walletSignature: randomBytes(64),
    signedForm: 'raw' as const,
    key: null,
  }))
  const page = async (query: string) => {
    const { withdrawals, next } = (await get(`${PATH}${query}`)).body
    return { ids: (withdrawals as { id: string }[]).map(({ id }) => id), next }
  }
  expect(await page('')).toEqual({ ids: [], next: null })
  const expiresAt = new Date(world.clock.now().getTime() + 60_000)
  await world.db.rows(addChallenges, { asked: requests, expiresAt })
  await world.db.transaction((tx) => requestWithdrawals(tx, requests, world.clock, 1_000))
  const first = await page('')
  expect([first.ids.length, first.next]).toEqual([100, first.ids.at(-1)])
  const second = await page(`?before=${String(first.next)}`)
  expect(second).toEqual({ ids: [expect.any(String)], next: null })
  expect(new Set([...first.ids, ...second.ids]).size).toBe(101)
})

test('the changes of one player wait for each other without a connection each', async ({ world }) => {
  let open = 0
  let most = 0
  const db: Db = {
    ...world.db,
    transaction: (work) => {
      open += 1
      most = Math.max(most, open)
      return world.db.transaction(work).finally(() => (open -= 1))
    },
  }
  const counted = await serveApp({ ...world, db })
  const { token } = await playerWith(world, 10)
  const changes = Array.from({ length: 20 }, () =>
    call(counted, 'POST', LOCK, { token, body: { hours: 24 } }),
  )
  const statuses = (await Promise.all(changes)).map(({ status }) => status)
  expect([statuses, most]).toEqual([Array(20).fill(200), 1])
  await counted.close()
})

test('a session that another process has just ended takes no money out', async ({ world }) => {
  const { player, token, get, post } = await playerWith(world, 10)
  const body = await signedBody(player, post)
  const { id } = await withdrawFrom(world, player, cotton(1))
  const otherApp = await serveApp(world)
  // This process has just read the session.
  expect((await get(PATH)).status).toBe(200)
  expect((await call(otherApp, 'POST', '/api/users/logout', { token })).status).toBe(200)
  const tries = [
    post(`${PATH}/challenge`, { amount: 1 }),
    post(PATH, body),
    post(`${PATH}/cancel`, { withdrawalId: id }),
    post(LOCK, { hours: 24 }),
  ]
  for (const { body: answer } of await Promise.all(tries))
    expect(answer).toMatchObject({ code: 'not_authenticated' })
  expect(await world.balance(player)).toBe(cotton(9))
})

test('a session that ends while its call waits for its turn changes nothing', async ({ world }) => {
  const entered = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let isSlow = false
  const db: Db = {
    ...world.db,
    transaction: (work) => {
      if (!isSlow) return world.db.transaction(work)
      entered.resolve()
      return released.promise.then(() => world.db.transaction(work))
    },
  }
  const slowApp = await serveApp({ ...world, db })
  const { token } = await playerWith(world, 10)
  const setLock = () => call(slowApp, 'POST', LOCK, { token, body: { hours: 24 } })
  isSlow = true
  const first = setLock()
  await entered.promise
  const waiting = setLock()
  // A later call that looks the session up: the one that waits has begun by then.
  expect((await call(slowApp, 'GET', '/api/users/sessions', { token })).status).toBe(200)
  expect((await call(app, 'POST', '/api/users/logout', { token })).status).toBe(200)
  released.resolve()
  expect((await first).status).toBe(200)
  expect((await waiting).body).toMatchObject({ code: 'not_authenticated' })
  await slowApp.close()
})
