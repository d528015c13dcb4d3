import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { accountRoutes } from '#server/account/routes.ts'
import { createSessions } from '#server/account/sessions.ts'
import type { Clock } from '#server/platform/clock.ts'
import { siteOf } from '#server/platform/site.ts'
import { createHttpServer } from '#server/platform/http/http-server.ts'
import { createServe } from '#server/platform/http/serve.ts'
import { serveWebApp } from '#server/platform/http/web-app.ts'
import { createMarket, type MarketMode } from '#server/market/market-mode.ts'
import { marketRoutes } from '#server/market/routes.ts'
import { milestoneRoutes } from '#server/milestones/routes.ts'
import { parcelRoutes } from '#server/parcels/routes.ts'
import { transparencyRoutes } from '#server/solvency/routes.ts'
import { workerRoutes } from '#server/workers/routes.ts'
import { withdrawalRoutes } from '#server/withdrawals/routes.ts'
import { openWorldState } from '#server/world/world-state.ts'
import type { TestPlayer } from './test-player.ts'
import type { TestWorld } from './test-world.ts'

const PUBLIC_URL = 'http://farm.test'

type ServeOptions = {
  limited?: boolean
  shared?: boolean
  marketMode?: MarketMode
  balances?: 'public' | 'private'
  /** How the answers to failed logins wait. */
  wait?: (ms: number) => Promise<void>
}

/**
 * An api process in this process, on the database of a test world, with all features that need no chain. Only if it is
 * `shared` does it receive the changes of other processes.
 */
export async function serveApp(
  world: Pick<TestWorld, 'db' | 'directUrl'> & { clock: Clock },
  { limited = false, shared = false, marketMode = 'auto', balances = 'public', wait }: ServeOptions = {},
): Promise<FastifyInstance> {
  const log = pino({ level: 'silent' })
  const app = await createHttpServer({ publicUrl: PUBLIC_URL, trustProxy: false, limited }, log)
  const sessions = createSessions(world)
  const site = siteOf({ publicUrl: PUBLIC_URL }, 'local')
  const serve = createServe(app, { authenticate: sessions.authenticate, limited })
  accountRoutes(serve, {
    ...world,
    sessions,
    balances,
    limited,
    ...(wait && { wait }),
    site,
  })
  const busDatabaseUrl = shared ? world.directUrl : null
  const market = createMarket(marketMode)
  const worldState = await openWorldState(app, {
    db: world.db,
    clock: world.clock,
    market,
    publicUrl: PUBLIC_URL,
    log,
    busDatabaseUrl,
  })
  workerRoutes(serve, { ...world, ...worldState })
  parcelRoutes(serve, { ...world, ...worldState })
  marketRoutes(serve, { ...world, ...worldState, market })
  milestoneRoutes(serve, world)
  transparencyRoutes(serve, world)
  withdrawalRoutes(serve, { ...world, site, log })
  serveWebApp(app, '/nowhere', { limited })
  return app
}

/** The response of an api. */
export type CallResult = { status: number; body: Record<string, unknown>; headers: Record<string, unknown> }

/** Calls an app like a client without a browser. */
export async function call(
  app: FastifyInstance,
  method: 'GET' | 'POST',
  url: string,
  {
    body,
    token,
    headers,
    from,
  }: { body?: unknown; token?: string; headers?: Record<string, string>; from?: string } = {},
): Promise<CallResult> {
  const answer = await app.inject({
    method,
    url,
    ...(from === undefined ? {} : { remoteAddress: from }),
    headers: { ...(token === undefined ? {} : { 'x-auth-token': token }), ...headers },
    ...(body === undefined ? {} : { payload: body as object }),
  })
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers }
}

/** Logs in a player with a wallet signature. Returns the token. */
export async function logIn(app: FastifyInstance, player: TestPlayer, from?: string): Promise<string> {
  const nonceResponse = await call(app, 'POST', '/api/users/nonce', {
    body: { walletAddress: player.wallet },
  })
  const message = String(nonceResponse.body.message)
  const { body } = await call(app, 'POST', '/api/users/verify-wallet', {
    body: signLogin(player, message),
    ...(from === undefined ? {} : { from }),
  })
  return String(body.token)
}

/** The body of verify-wallet, with the message signed by the player. */
export function signLogin(player: TestPlayer, message: string) {
  return { walletAddress: player.wallet, message, signature: player.sign(message).toString('base64') }
}
