import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { refuse } from '#server/platform/answer.ts'
import { UnavailableError } from '#server/platform/unavailable-error.ts'
import { serveApp, signLogin } from '#tests/support/serve-app.ts'
import { testPlayer, type TestPlayer } from '#tests/support/test-player.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { createFailureDelay } from './delay-failures.ts'

/** An api with all limits. It adds the delays of failed logins to `waits`; the test does not wait for them. */
async function open(world: TestWorld, waits: number[] = []) {
  const app = await serveApp(world, {
    limited: true,
    wait: (ms) => {
      waits.push(ms)
      return Promise.resolve()
    },
  })
  return { app, waits }
}

async function post(app: FastifyInstance, path: string, { body, from }: { body: object; from: string }) {
  const answer = await app.inject({ method: 'POST', url: path, payload: body, remoteAddress: from })
  return { status: answer.statusCode, body: answer.json<{ message: string; code?: string }>() }
}

async function attempt(app: FastifyInstance, { player, from }: { player: TestPlayer; from: string }) {
  const body = { walletAddress: player.wallet }
  const { message } = (await post(app, '/api/users/nonce', { body, from })).body
  return (signer: TestPlayer) => {
    const { signature } = signLogin(signer, message)
    return post(app, '/api/users/verify-wallet', { body: { ...body, message, signature }, from })
  }
}

const succeed = async (app: FastifyInstance, of: { player: TestPlayer; from: string }) =>
  (await (await attempt(app, of))(of.player)).status

/** Logs in with the key of someone else. */
const fail = async (app: FastifyInstance, of: { player: TestPlayer; from: string }) =>
  (await (await attempt(app, of))(testPlayer())).status

const SCHOOL = '203.0.113.7'

/** The delay alone, and a login of one wallet that it refuses. */
function openDelay(world: Pick<TestWorld, 'db' | 'clock'>) {
  const waits: number[] = []
  const delay = createFailureDelay({
    ...world,
    wait: async (ms) => {
      waits.push(ms)
    },
  })
  const origin = { caller: '203.0.113.90', wallet: testPlayer().wallet }
  const failLate = () =>
    delay(origin, async () => refuse('signature_failed')).catch((error: Error) => {
      if (error.message !== 'signature_failed') throw error
    })
  return { waits, delay, failLate }
}

test('200 players log in from one address at once', async ({ world }) => {
  const { app, waits } = await open(world)
  const players = Array.from({ length: 200 }, testPlayer)
  const statuses = await Promise.all(players.map((player) => succeed(app, { player, from: SCHOOL })))
  expect(statuses.filter((status) => status === 200)).toHaveLength(200)
  expect(waits).toEqual([])
})

test('an address with failures is answered later and later; others behind it log in at once', async ({
  world,
}) => {
  const { app, waits } = await open(world)
  for (let each = 0; each < 30; each++)
    expect(await fail(app, { player: testPlayer(), from: SCHOOL })).toBe(401)
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000])
  expect(await succeed(app, { player: testPlayer(), from: SCHOOL })).toBe(200)
  expect(waits).toHaveLength(10)
  expect(await fail(app, { player: testPlayer(), from: '203.0.113.8' })).toBe(401)
  expect(waits).toHaveLength(10)
})

test('failures from the addresses of one IPv6 network are counted together', async ({ world }) => {
  const { app, waits } = await open(world)
  for (let each = 0; each < 21; each++)
    expect(await fail(app, { player: testPlayer(), from: `2001:db8:1:2::${each}` })).toBe(401)
  expect(waits).toEqual([250])
})

test('failures at several apis are counted together', async ({ world }) => {
  const waits: number[] = []
  const apis = await Promise.all([1, 2, 3].map(async () => (await open(world, waits)).app))
  const from = '203.0.113.30'
  for (let each = 0; each < 26; each++)
    expect(await fail(apis[each % 3]!, { player: testPlayer(), from })).toBe(401)
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000])
  waits.length = 0
  const player = testPlayer()
  for (let each = 0; each < 8; each++)
    expect(await fail(apis[each % 3]!, { player, from: `203.0.113.${40 + each}` })).toBe(401)
  expect(waits).toEqual([250, 500, 1_000])
  for (const app of apis) expect(await succeed(app, { player, from })).toBe(200)
})

test('failures at several apis at the same moment are all counted', async ({ world }) => {
  const waits: number[] = []
  const apis = await Promise.all([1, 2].map(async () => (await open(world, waits)).app))
  const of = { player: testPlayer(), from: '203.0.113.60' }
  await Promise.all(Array.from({ length: 40 }, (_, each) => fail(apis[each % 2]!, of)))
  expect(waits).toHaveLength(35)
})

test('after ten minutes nothing is left of any number of failures', async ({ world }) => {
  const { app, waits } = await open(world)
  const of = { player: testPlayer(), from: '203.0.113.61' }
  for (let each = 0; each < 100; each++) await fail(app, of)
  waits.length = 0
  world.clock.advance(10 * 60_000)
  await fail(app, of)
  expect(waits).toEqual([])
})

test('a wallet that is attacked from many addresses stays open to its owner', async ({ world }) => {
  const { app, waits } = await open(world)
  const player = testPlayer()
  for (let each = 0; each < 100; each++)
    expect(await fail(app, { player, from: `198.51.100.${each}` })).toBe(401)
  expect(waits).toHaveLength(95)
  expect(waits.at(-1)).toBe(4_000)
  for (const from of [SCHOOL, '198.51.100.1']) expect(await succeed(app, { player, from })).toBe(200)
  expect(waits).toHaveLength(95)
})

test('failures are forgotten with time', async ({ world }) => {
  const { app, waits } = await open(world)
  const player = testPlayer()
  for (let each = 0; each < 6; each++) await fail(app, { player, from: SCHOOL })
  expect(waits).toEqual([250])
  world.clock.advance(60_000)
  await fail(app, { player, from: SCHOOL })
  expect(waits).toEqual([250])
})

test('an answer that was given no longer waits', async ({ world }) => {
  const { waits, failLate } = openDelay(world)
  for (let batch = 0; batch < 22; batch++) await Promise.all(Array.from({ length: 50 }, failLate))
  expect(waits).toHaveLength(22 * 50 - 5)
})

test('many failures at once are all answered late at an address that has many, whoever they are of', async ({
  world,
}) => {
  const { waits, delay } = openDelay(world)
  const failAs = (wallet: string) =>
    delay({ caller: '203.0.113.91', wallet }, async () => refuse('signature_failed')).catch(() => undefined)
  for (let each = 0; each < 60; each++) await failAs(`wallet ${each}`)
  expect(waits).toHaveLength(40)
  await Promise.all(Array.from({ length: 50 }, (_, each) => failAs(`another wallet ${each}`)))
  expect(waits).toHaveLength(90)
})

test('a late answer waits for real', async ({ world }) => {
  const delay = createFailureDelay(world)
  const origin = { caller: '203.0.113.92', wallet: testPlayer().wallet }
  const fail = () => delay(origin, async () => refuse('signature_failed'))
  for (let each = 0; each < 5; each++) await expect(fail()).rejects.toThrow('signature_failed')
  const startedAt = performance.now()
  await expect(fail()).rejects.toThrow('signature_failed')
  expect(performance.now() - startedAt).toBeGreaterThan(245)
})

test('without the database every failure is answered as late as possible', async ({ world }) => {
  const rows = () => Promise.reject(new UnavailableError('no connection'))
  const { waits, failLate } = openDelay({ ...world, db: { ...world.db, rows } })
  await failLate()
  expect(waits).toEqual([4_000])
})

test('an error of another kind is thrown at once, and so is one of the count', async ({ world }) => {
  const bug = () => Promise.reject(new Error('a bug'))
  const { waits, delay, failLate } = openDelay({ ...world, db: { ...world.db, rows: bug } })
  const otherBug = () => Promise.reject(new Error('another bug'))
  await expect(delay({ caller: SCHOOL, wallet: 'any' }, otherBug)).rejects.toThrow('another bug')
  await expect(failLate()).rejects.toThrow('a bug')
  expect(waits).toEqual([])
})

test('at most 1,000 answers wait; further failures are refused at once', async ({ world }) => {
  const app = await serveApp(world, { limited: true, wait: () => new Promise(() => undefined) })
  const player = testPlayer()
  const attempts = await Promise.all(
    Array.from({ length: 1_010 }, (_, each) =>
      attempt(app, { player, from: `10.0.${each >> 8}.${each & 255}` }),
    ),
  )
  const answers: string[] = []
  const messages = new Set<string>()
  const stranger = testPlayer()
  const record = async (verify: (typeof attempts)[number]): Promise<void> => {
    const { body } = await verify(stranger)
    messages.add(body.message)
    answers.push(String(body.code))
  }
  for (const verify of attempts) void record(verify)
  await expect.poll(() => answers.length).toBe(10)
  expect(answers.filter((code) => code === 'too_many_requests')).toHaveLength(5)
  expect(answers.filter((code) => code === 'signature_failed')).toHaveLength(5)
  expect([...messages].join()).toContain('4 s')
})
