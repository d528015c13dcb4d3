import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { expect, vi } from 'vitest'
import { LISTED_SESSIONS } from '#contract/sessions.ts'
import { sql } from '#server/platform/db/db.ts'
import { countDbStatements } from '#tests/support/count-statements.ts'
import { interceptStatements } from '#tests/support/intercept-statements.ts'
import { openSessions } from '#tests/support/open-sessions.ts'
import { call, logIn, serveApp, signLogin } from '#tests/support/serve-app.ts'
import { testPlayer } from '#tests/support/test-player.ts'
import { test } from '#tests/support/test-world.ts'
import { createSessions } from './sessions.ts'

type Listed = { id: string; device: string; address: string; active: boolean; current: boolean }

const listOf = async (app: Parameters<typeof call>[0], token: string) =>
  (await call(app, 'GET', '/api/users/sessions', { token })).body.sessions as Listed[]

test('a player sees the own sessions only, and which one is this', async ({ world }) => {
  const app = await serveApp(world)
  const [ana, bob] = [testPlayer(), testPlayer()]
  const first = await logIn(app, ana)
  world.clock.advance(1_000)
  const second = await logIn(app, ana, '203.0.113.77')
  await logIn(app, bob)
  const sessions = await listOf(app, second)
  expect(sessions.map(({ current, active }) => [current, active])).toEqual([
    [true, true],
    [false, true],
  ])
  expect(sessions.map(({ address }) => address)).toEqual(['203.0.113.x', ''])
  expect((await listOf(app, first)).map(({ current }) => current)).toEqual([false, true])
  expect(JSON.stringify(sessions)).not.toContain(first)
})

test('the own session is listed, however many logins are newer', async ({ world }) => {
  const app = await serveApp(world)
  const ana = testPlayer()
  const own = await logIn(app, ana)
  const sessions = createSessions(world)
  const now = world.clock.now().getTime()
  await world.db.transaction(async (tx) => {
    for (let login = 1; login <= LISTED_SESSIONS; login += 1)
      sessions.open(tx, { token: `${ana.wallet} ${login}`, wallet: ana.wallet, now: new Date(now + login) })
  })
  const listed = await listOf(app, own)
  expect(listed).toHaveLength(LISTED_SESSIONS)
  expect(listed.map(({ current }) => current).indexOf(true)).toBe(LISTED_SESSIONS - 1)
})

test('a session that was logged out is refused at once here, stays in the list, and no other player can end it', async ({
  world,
}) => {
  const app = await serveApp(world)
  const [ana, bob] = [testPlayer(), testPlayer()]
  const [thief, owner] = [await logIn(app, ana), await logIn(app, ana)]
  const sessionId = (await listOf(app, owner)).find(({ current }) => !current)!.id
  const end = (token: string) => call(app, 'POST', '/api/users/sessions/end', { token, body: { sessionId } })
  expect(await end(await logIn(app, bob))).toMatchObject({ status: 404, body: { code: 'session_not_found' } })
  expect((await call(app, 'GET', '/api/users/history', { token: thief })).status).toBe(200)
  expect((await end(owner)).status).toBe(200)
  expect((await call(app, 'GET', '/api/users/history', { token: thief })).status).toBe(401)
  expect((await listOf(app, owner)).map(({ active }) => active).toSorted()).toEqual([false, true])
  expect((await end(owner)).status).toBe(404)
})

test('a session that was opened while the clock was ahead by a week ends when it is set back', async ({
  world,
}) => {
  const app = await serveApp(world)
  const statusAfter = async (aheadMs: number) => {
    world.clock.advance(aheadMs)
    const token = await logIn(app, testPlayer())
    world.clock.advance(-aheadMs)
    return (await call(app, 'GET', '/api/users/history', { token })).status
  }
  const weekMs = 7 * 24 * 3_600_000
  expect([await statusAfter(weekMs - 1), await statusAfter(weekMs)]).toEqual([200, 401])
})

test('logging out all others ends every session but this one', async ({ world }) => {
  const app = await serveApp(world)
  const ana = testPlayer()
  const others = [await logIn(app, ana), await logIn(app, ana), await logIn(app, ana)]
  const own = await logIn(app, ana)
  const answer = await call(app, 'POST', '/api/users/sessions/end-others', { token: own, body: {} })
  expect(answer.body).toMatchObject({ ended: 3 })
  for (const token of others)
    expect((await call(app, 'GET', '/api/users/history', { token })).status).toBe(401)
  expect((await call(app, 'GET', '/api/users/history', { token: own })).status).toBe(200)
})

const endHundred = sql({
  name: 'test-end-hundred',
  params: { wallet: 'text', now: 'timestamptz' },
  text: ({ wallet, now }) =>
    `update sessions set ended_at = ${now}
     where token_hash in (select sha256((${wallet} || n)::bytea) from generate_series(1, 100) n)`,
})

test('any number of sessions is ended, ten thousand in a statement', async ({ world }) => {
  const log = { names: [] as string[], roundTrips: 0 }
  const sessions = createSessions({ ...world, db: countDbStatements(world.db, log) })
  const { wallet } = testPlayer()
  await world.db.rows(openSessions, { wallet, now: world.clock.now() })
  expect(await sessions.endOf({ wallet, tokenHash: Buffer.alloc(32) }, null)).toBe(10_007)
  expect(log.names).toEqual(['sessions-end-of', 'sessions-end-of'])
})

test('sessions that another call is ending are no reason to end fewer of the others', async ({ world }) => {
  const sessions = createSessions(world)
  const { wallet } = testPlayer()
  const now = world.clock.now()
  await world.db.rows(openSessions, { wallet, now })
  let ending: Promise<number> | undefined
  await world.db.transaction(async (tx) => {
    await tx.rows(endHundred, { wallet, now })
    ending = sessions.endOf({ wallet, tokenHash: Buffer.alloc(32) }, null)
    await sleep(500)
  })
  expect(await ending).toBe(9_907)
})

test('of the calls of one player that end sessions, one occupies a connection', async ({ world }) => {
  let [ending, most] = [0, 0]
  const { rows } = interceptStatements(world.db, async ({ name }, run) => {
    if (name !== 'sessions-end-of') return run()
    most = Math.max(most, ++ending)
    await sleep(20)
    return run().finally(() => (ending -= 1))
  })
  const app = await serveApp({ ...world, db: { ...world.db, rows } })
  const token = await logIn(app, testPlayer())
  const end = (path: string, body: object) =>
    call(app, 'POST', `/api/users/sessions/${path}`, { token, body })
  const answers = await Promise.all([
    end('end-others', {}),
    end('end-others', {}),
    end('end', { sessionId: randomUUID() }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404])
  expect(most).toBe(1)
})

test.for([
  ['POST', '/api/users/sessions/end-others'],
  ['POST', '/api/users/sessions/end'],
  ['GET', '/api/users/sessions'],
] as const)(
  'a session that another process has ended is refused within the second of its cache: %s %s',
  async ([method, path], { world }) => {
    const [here, there] = [await serveApp(world), await serveApp(world)]
    const ana = testPlayer()
    const [thief, owner] = [await logIn(here, ana), await logIn(there, ana)]
    const sessionId = (await listOf(there, owner)).find(({ current }) => current)!.id
    expect((await call(here, 'GET', '/api/users/history', { token: thief })).status).toBe(200)
    await call(there, 'POST', '/api/users/sessions/end-others', { token: owner, body: {} })
    const body = method === 'GET' ? undefined : path.endsWith('others') ? {} : { sessionId }
    expect((await call(here, method, path, { token: thief, body })).status).toBe(401)
    expect((await call(there, 'GET', '/api/users/history', { token: owner })).status).toBe(200)
  },
)

test('a session shows the device that logged in', async ({ world }) => {
  const app = await serveApp(world)
  const player = testPlayer()
  const asked = await call(app, 'POST', '/api/users/nonce', { body: { walletAddress: player.wallet } })
  const { body } = await call(app, 'POST', '/api/users/verify-wallet', {
    body: signLogin(player, String(asked.body.message)),
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0' },
  })
  expect(await listOf(app, String(body.token))).toMatchObject([{ device: 'Firefox on Linux', current: true }])
})

test('each session is looked up once while its second lasts', async ({ world }) => {
  const log = { names: [] as string[], roundTrips: 0 }
  const app = await serveApp({ ...world, db: countDbStatements(world.db, log) })
  const tokens = [await logIn(app, testPlayer()), await logIn(app, testPlayer())]
  const lookups = async (calls: readonly string[]): Promise<number> => {
    log.names.length = 0
    for (const token of calls)
      expect((await call(app, 'GET', '/api/users/history', { token })).status).toBe(200)
    return log.names.filter((name) => name.startsWith('sessions-')).length
  }
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  expect(await lookups([...tokens, ...tokens])).toBe(2)
  now.mockReturnValue(performance.now() + 999)
  expect(await lookups(tokens)).toBe(0)
  now.mockReturnValue(performance.now() + 1)
  expect(await lookups(tokens)).toBe(2)
})

test('a session that was found ended is looked up before the next action, not after it', async ({
  world,
}) => {
  const log = { names: [] as string[], roundTrips: 0 }
  const [here, there] = [
    await serveApp({ ...world, db: countDbStatements(world.db, log) }),
    await serveApp(world),
  ]
  const token = await logIn(here, testPlayer())
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  expect((await call(here, 'GET', '/api/users/history', { token })).status).toBe(200)
  await call(there, 'POST', '/api/users/logout', { token })
  now.mockReturnValue(performance.now() + 1_000)
  expect((await call(here, 'GET', '/api/users/history', { token })).status).toBe(401)
  log.names.length = 0
  expect((await call(here, 'POST', '/api/workers/claim-all', { token, body: {} })).status).toBe(401)
  expect(log.names).toEqual(['sessions-find'])
})

test('a session that is to be confirmed with an action is not confirmed before it', async ({ world }) => {
  const sessions = createSessions(world)
  const { wallet } = testPlayer()
  const now = world.clock.now()
  await world.db.transaction(async (tx) => sessions.open(tx, { token: 'a token', wallet, now }))
  const isOpen = (token: string) => world.db.transaction((tx) => sessions.isOpen(tx, token))
  expect([await isOpen('a token'), await isOpen('another token')]).toEqual([true, false])

  const request = { headers: { 'x-auth-token': 'a token' } } as unknown as FastifyRequest
  const authenticate = () => sessions.authenticate(request, { revalidates: true, fresh: false })
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  expect(await authenticate()).not.toHaveProperty('revalidation')
  clock.mockReturnValue(performance.now() + 1_000)
  expect(await authenticate()).toMatchObject({ wallet, revalidation: { revalidated: false } })
})

test.for(['itself', 'another'] as const)(
  'a session that is ended by %s while it is looked up is not cached',
  async (by, { world }) => {
    const [found, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { rows } = interceptStatements(world.db, async ({ name }, run) => {
      const rows = await run()
      if (name === 'sessions-find') {
        found.resolve()
        await gate.promise
      }
      return rows
    })
    const sessions = createSessions({ ...world, db: { ...world.db, rows } })
    const { wallet } = testPlayer()
    const open = { token: `ended by ${by}`, wallet, now: world.clock.now() }
    await world.db.transaction(async (tx) => sessions.open(tx, open))
    const request = { headers: { 'x-auth-token': open.token } } as unknown as FastifyRequest
    const authenticate = () => sessions.authenticate(request, { revalidates: false, fresh: false })

    const lookup = authenticate()
    await found.promise
    const player = await createSessions(world).authenticate(request, { revalidates: false, fresh: false })
    if (by === 'itself') await sessions.end(player)
    else await sessions.endOf({ ...player, tokenHash: Buffer.alloc(32) }, null)
    gate.resolve()
    await expect(lookup).resolves.toMatchObject({ wallet })
    await expect(authenticate()).rejects.toThrow('not_authenticated')
  },
)
