import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import type { FastifyInstance } from 'fastify'
import { expect, vi } from 'vitest'
import { claimWorker } from '#contract/workers.ts'
import { cotton } from '#game/cotton.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { createHttpServer } from '#server/platform/http/http-server.ts'
import { createServe } from '#server/platform/http/serve.ts'
import { countDbStatements } from '#tests/support/count-statements.ts'
import { call, logIn, serveApp } from '#tests/support/serve-app.ts'
import { type TestPlayer } from '#tests/support/test-player.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'

/** A session is cached for so long. */
const CACHED_MS = 1_000

/** Stops the clock of the cached sessions. Returns a function that lets their time pass. */
function stopCacheClock(): () => void {
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  return () => void now.mockReturnValue(performance.now() + CACHED_MS)
}

const endSessions = sql({
  name: 'test-end-sessions',
  params: { wallet: 'text' },
  text: ({ wallet }) => `update sessions set ended_at = now() where wallet = ${wallet}`,
})
const lockSessions = sql({
  name: 'test-lock-sessions',
  params: { wallet: 'text' },
  text: ({ wallet }) => `select 1 from sessions where wallet = ${wallet} for update`,
})
const readSeen = sql({
  name: 'test-read-seen',
  params: { wallet: 'text' },
  row: rowOf<{ seen_at: Date }>(),
  text: ({ wallet }) => `select seen_at from sessions where wallet = ${wallet}`,
})

type Farmer = { player: TestPlayer; workerId: string; token: string }

async function farmer(world: TestWorld, app: FastifyInstance): Promise<Farmer> {
  const player = await world.player({ deposited: 50_000 })
  return { player, workerId: await world.hire(player, 'kid'), token: await logIn(app, player) }
}

const claimOf = (app: FastifyInstance, { workerId, token }: Farmer) =>
  call(app, 'POST', claimWorker.path, { body: { workerId }, token })

/** Farmers whose sessions are cached, but have to be re-validated, and who can claim. */
async function cachedFarmers(world: TestWorld, count: number) {
  const log = { names: [] as string[], roundTrips: 0 }
  const app = await serveApp({ ...world, db: countDbStatements(world.db, log) })
  const endTrust = stopCacheClock()
  const farmers = await Promise.all(Array.from({ length: count }, () => farmer(world, app)))
  for (const each of farmers) expect((await claimOf(app, each)).body.code).toBe('nothing_to_claim')
  world.clock.advance(36_000)
  endTrust()
  return { app, log, farmers: farmers as [Farmer, ...Farmer[]] }
}

test('a session that ended since its last check gets nothing, and the others in the batch succeed', async ({
  world,
}) => {
  const { app, log, farmers } = await cachedFarmers(world, 9)
  const [dead, ...alive] = farmers
  await world.db.rows(endSessions, { wallet: dead.player.wallet })
  const answers = await Promise.all(farmers.map((each) => claimOf(app, each)))
  expect(answers.map(({ status }) => status)).toEqual([401, ...alive.map(() => 200)])
  expect(await world.balance(dead.player)).toBe(cotton(0))
  for (const { player } of alive) expect(await world.balance(player)).toBe(cotton(50))
  // No action starts for a session that is known to have ended.
  log.names.length = 0
  expect((await claimOf(app, dead)).status).toBe(401)
  expect(log.names).toEqual(['sessions-find'])
  await app.close()
})

test('any number of sessions that have ended costs a batch one repetition', async ({ world }) => {
  const { app, log, farmers } = await cachedFarmers(world, 40)
  const [alive, ...dead] = farmers
  for (const { player } of dead) await world.db.rows(endSessions, { wallet: player.wallet })
  log.names.length = 0
  const answers = await Promise.all(farmers.map((each) => claimOf(app, each)))
  expect(answers.map(({ status }) => status)).toEqual([200, ...dead.map(() => 401)])
  expect(await world.balance(alive.player)).toBe(cotton(50))
  // The calls arrive in a few batches.
  expect(log.names.filter((name) => name === 'sessions-count').length).toBeLessThan(10)
  await app.close()
})

test('a cached session is re-validated in the round trip of the action, a new one is looked up before it', async ({
  world,
}) => {
  const log = { names: [] as string[], roundTrips: 0 }
  const app = await serveApp({ ...world, db: countDbStatements(world.db, log) })
  const endTrust = stopCacheClock()
  const each = await farmer(world, app)
  const claimed = async (status = 200) => {
    const from = { names: log.names.length, roundTrips: log.roundTrips }
    world.clock.advance(3_600)
    expect((await claimOf(app, each)).status).toBe(status)
    const statements = log.names.slice(from.names).filter((name) => name.startsWith('sessions-'))
    return { statements, roundTrips: log.roundTrips - from.roundTrips }
  }
  expect(await claimed()).toEqual({ statements: ['sessions-find'], roundTrips: 3 })
  expect(await claimed()).toEqual({ statements: [], roundTrips: 2 })
  endTrust()
  expect(await claimed()).toEqual({ statements: ['sessions-count'], roundTrips: 2 })
  expect(await claimed()).toEqual({ statements: [], roundTrips: 2 })
  // A stale `seen_at` is written in the same transaction.
  world.clock.advance(61_000)
  endTrust()
  expect(await claimed()).toEqual({ statements: ['sessions-count', 'sessions-touch'], roundTrips: 2 })
  const [seen] = await world.db.rows(readSeen, { wallet: each.player.wallet })
  expect(seen!.seen_at).toEqual(world.clock.now())
  // An expired session may still be cached. It gets nothing.
  world.clock.advance(25 * 3_600_000)
  endTrust()
  expect((await claimed(401)).statements).toEqual(['sessions-count', 'sessions-find'])
  expect((await claimed(401)).statements).toEqual(['sessions-find', 'sessions-end-expired'])
  expect((await claimed(401)).statements).toEqual(['sessions-find'])
  await app.close()
})

test('a handler that promises to re-validate its player and does not fails the call', async () => {
  const app = await createHttpServer(
    { publicUrl: 'http://farm.test', trustProxy: false, limited: false },
    pino({ level: 'silent' }),
  )
  const revalidation = { findEnded: async () => new Set<never>(), revalidated: false }
  const authenticate = async (_request: unknown, { revalidates }: { revalidates: boolean }) => ({
    wallet: 'somebody',
    tokenHash: Buffer.alloc(32),
    ...(revalidates ? { revalidation } : {}),
  })
  const serve = createServe(app, { authenticate, limited: false })
  const paid = { success: true as const, claimedAmount: 1, newBalance: 1 }
  serve(claimWorker, async () => paid, { revalidates: true })
  const request = { body: { workerId: 'kid-0001' }, token: 'any' }
  expect((await call(app, 'POST', claimWorker.path, request)).status).toBe(500)
  await app.close()
})

test('touching a session does not wait for a locked row', async ({ world }) => {
  const app = await serveApp(world)
  const endTrust = stopCacheClock()
  const each = await farmer(world, app)
  expect((await claimOf(app, each)).body.code).toBe('nothing_to_claim')
  world.clock.advance(3_600_000)
  endTrust()
  const seen = await world.db.transaction(async (tx) => {
    await tx.rows(lockSessions, { wallet: each.player.wallet })
    const answer = await Promise.race([claimOf(app, each), sleep(30_000, null)])
    return answer?.status
  })
  expect(seen).toBe(200)
  await app.close()
})
