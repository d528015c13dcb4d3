import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { expect } from 'vitest'
import { createHttpServer } from '#server/platform/http/http-server.ts'
import { createServe } from '#server/platform/http/serve.ts'
import { siteOf } from '#server/platform/site.ts'
import { countDbStatements } from '#tests/support/count-statements.ts'
import { callConsole, openConsole, signConsoleLogin } from '#tests/support/operators-console.ts'
import { call, logIn, signLogin } from '#tests/support/serve-app.ts'
import { testPlayer, type TestPlayer } from '#tests/support/test-player.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { accountRoutes } from './routes.ts'
import { createSessions } from './sessions.ts'

// A login must not tell which wallets play. `npm run test:login-times` compares the times of the same calls.

/** Only the login calls: an api that serves the world also reads that from time to time. */
async function serveLogins(world: Pick<TestWorld, 'db' | 'clock'>): Promise<FastifyInstance> {
  const publicUrl = 'http://farm.test'
  const settings = { publicUrl, trustProxy: false, limited: false } as const
  const app = await createHttpServer(settings, pino({ level: 'silent' }))
  const sessions = createSessions(world)
  const serve = createServe(app, { authenticate: sessions.authenticate, limited: false })
  const wait = () => Promise.resolve()
  accountRoutes(serve, { ...world, sessions, site: siteOf({ publicUrl }, 'local'), limited: true, wait })
  return app
}

/** A reply without what differs between any two calls. */
const withoutRandom = (headers: Record<string, unknown>) =>
  Object.keys(headers)
    .filter((name) => name !== 'date')
    .toSorted()

type Seen = { status: number; shape: unknown; headers: string[]; statements: string[]; roundTrips: number }

/** Everything that a caller sees of the login calls for a wallet, and what they ask the database. */
async function observe(
  player: TestPlayer,
  { app, log }: { app: FastifyInstance; log: { names: string[]; roundTrips: number } },
): Promise<Seen[]> {
  const seen: Seen[] = []
  const send = async (path: string, body: object) => {
    log.names.length = 0
    log.roundTrips = 0
    const answer = await call(app, 'POST', path, { body })
    seen.push({
      status: answer.status,
      shape: answer.status === 200 ? Object.keys(answer.body) : answer.body,
      headers: withoutRandom(answer.headers),
      statements: [...log.names],
      roundTrips: log.roundTrips,
    })
    return answer.body
  }
  const asked = await send('/api/users/nonce', { walletAddress: player.wallet })
  const honest = signLogin(player, String(asked.message))
  const forged = signLogin({ ...player, sign: testPlayer().sign }, String(asked.message))
  await send('/api/users/verify-wallet', forged)
  await send('/api/users/verify-wallet', { ...honest, message: `${honest.message}x` })
  await send('/api/users/verify-wallet', {
    ...forged,
    message: forged.message.replace(/Nonce: ../, 'Nonce: 00'),
  })
  await send('/api/users/verify-wallet', honest)
  await send('/api/users/verify-wallet', honest)
  return seen
}

test('a login of a wallet that plays looks like the first one of a new wallet: answers, statements, round trips', async ({
  world,
}) => {
  const log = { names: [] as string[], roundTrips: 0 }
  const app = await serveLogins({ ...world, db: countDbStatements(world.db, log) })
  const known = await world.player({ deposited: 200_000 })
  await world.hire(known, 'kid')
  for (let each = 0; each < 3; each++) await logIn(app, known)
  const [ofKnown, ofNew] = [await observe(known, { app, log }), await observe(testPlayer(), { app, log })]
  expect(ofKnown.map(({ status }) => status)).toEqual([200, 401, 401, 401, 200, 401])
  expect(ofKnown).toEqual(ofNew)
  // The table is not empty: a refused login counts, and one that succeeds opens a session.
  expect(ofKnown.flatMap(({ statements }) => statements)).toEqual(
    expect.arrayContaining(['login-add-failures', 'sessions-open']),
  )
  await app.close()
})

test('a refused login to the console does not tell whether the wallet is an operator’s', async ({
  world,
}) => {
  const log = { names: [] as string[], roundTrips: 0 }
  const console = await openConsole(world, { wrap: (db) => countDbStatements(db, log) })
  const operator = console.addOperator('Olga', 'view', 'decide')
  const observeConsole = async (player: TestPlayer) => {
    log.names.length = 0
    const body = await signConsoleLogin(console, { ...player, sign: testPlayer().sign })
    const answer = await callConsole(console, { method: 'POST', path: '/api/console/login' }, { body })
    return {
      status: answer.status,
      body: answer.body,
      names: [...log.names],
      lines: body.message.split('\n').length,
    }
  }
  const ofOperator = await observeConsole(operator)
  expect(ofOperator.body.code).toBe('signature_failed')
  expect(ofOperator).toEqual(await observeConsole(testPlayer()))
  await console.close()
})
