import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { ROUTES } from '#contract/routes.ts'
import type { Route } from '#contract/route.ts'
import { accountRoutes } from './account/routes.ts'
import { createSessions } from './account/sessions.ts'
import type { Chain, ChainFacts } from './chain/port.ts'
import { startCleanup } from './cleanup/remove-expired.ts'
import { apiChain } from '#server/deposits/connect-bound-chain.ts'
import { connectWhenReachable } from '#server/deposits/connect-when-reachable.ts'
import { retireStaleAddresses } from './deposits/retire-addresses.ts'
import { depositRoutes } from './deposits/routes.ts'
import { createMarket } from './market/market-mode.ts'
import { marketRoutes } from './market/routes.ts'
import { milestoneRoutes } from './milestones/routes.ts'
import { parcelRoutes } from './parcels/routes.ts'
import { assert } from './platform/assert.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import { type Db, readDatabaseState, openDb } from './platform/db/db.ts'
import { createHttpServer } from './platform/http/http-server.ts'
import { listen } from './platform/http/listen.ts'
import { createServe } from './platform/http/serve.ts'
import { serveWebApp } from './platform/http/web-app.ts'
import type { Log } from './platform/log.ts'
import { measureRequests } from './platform/metrics/measure-requests.ts'
import { serveMetrics } from './platform/metrics/serve-metrics.ts'
import { siteOf } from './platform/site.ts'
import { traceRequests } from './platform/tracing/trace-requests.ts'
import { openTracing, type Tracing } from './platform/tracing/tracing.ts'
import { withdrawalRoutes } from './withdrawals/routes.ts'
import { transparencyRoutes } from './solvency/routes.ts'
import { openTerms } from './site/read-terms.ts'
import { siteRoutes } from './site/routes.ts'
import { serveStatus } from './site/status.ts'
import { workerRoutes } from './workers/routes.ts'
import { openWorldState } from '#server/world/world-state.ts'

const WEB_BUILD = join(import.meta.dirname, '../.build/web')

/** The dependencies of the api's features. */
export type AppDeps = {
  config: Config
  db: Db
  chain: Chain
  clock: Clock
  log: Log
  tracing?: Tracing | null
}

/**
 * The role `api`: serves the game until it is stopped. `failed` rejects with a `StartupError` if no node answered at the start,
 * and the first one that does is of another chain.
 */
export async function startApi(
  config: Config,
  log: Log,
): Promise<{ failed: Promise<void>; stop(): Promise<void> }> {
  const db = openDb(config.databaseUrl, { max: config.dbPoolApi, applicationName: 'cotton-api' })
  const connection = await connectWhenReachable(apiChain(config), db, log)
  const { chain } = connection
  await retireStaleAddresses(db, systemClock.now())
  const tracing = await openTracing('cotton-farm-api', process.env)
  const app = await createApp({ config, db, chain, clock: systemClock, log, tracing })
  const metrics = await serveMetrics({
    ...config,
    role: 'api',
    isReady: async () => {
      const database = await readDatabaseState(db)
      // It is ready all the same: most of what players do needs no node.
      const unchecked = connection.isChecked() ? {} : { chain: 'unchecked' }
      return { ready: !app.drainingSince && database === 'ok', facts: { database, ...unchecked } }
    },
    addMetrics: (added) => measureRequests(app, added),
  })
  await listen(app, { ...config, settings: ['PORT', 'HOST'] }, log)
  const cleanup = await startCleanup(config, log)
  return {
    failed: connection.check,
    async stop() {
      connection.stop()
      // In the first half the load balancer sees /readyz fail and sends new clients elsewhere. In the second the sockets
      // follow, a few at a time, so that the other apis are not flooded.
      app.drainingSince = systemClock.now()
      const halfMs = config.drainSeconds * 500
      await sleep(halfMs)
      await app.moveSockets(halfMs)
      await app.close()
      await cleanup.stop()
      await metrics.stop()
      await tracing?.stop()
      await db.end()
    },
  }
}

/** Builds the whole api from its dependencies. It does not listen yet. */
export async function createApp({
  config,
  db,
  chain,
  clock,
  log,
  tracing,
}: AppDeps): Promise<FastifyInstance> {
  const { publicUrl, trustProxy, rateLimits: limited } = config
  const finishMs = config.finishSeconds * 1_000
  const app = await createHttpServer({ publicUrl, trustProxy, limited, finishMs }, log)
  if (tracing) traceRequests(app, tracing)
  const sessions = createSessions({ db, clock })
  const serve = createServe(app, { authenticate: sessions.authenticate, limited })
  const site = siteOf(config, chain.facts.cluster)
  const market = createMarket(config.marketMode)
  const worldState = await openWorldState(app, {
    db,
    clock,
    market,
    publicUrl,
    log,
    busDatabaseUrl: config.databaseDirectUrl,
  })

  accountRoutes(serve, { db, clock, sessions, site, limited, balances: config.balances })
  workerRoutes(serve, { db, clock, ...worldState })
  parcelRoutes(serve, { db, clock, ...worldState })
  marketRoutes(serve, { db, clock, market, ...worldState })
  milestoneRoutes(serve, { db, clock })
  const localRpcUrl = chain.facts.cluster === 'local' ? config.solanaRpcUrls[0]! : null
  depositRoutes(serve, {
    db,
    clock,
    chain,
    localRpcUrl,
    largeFrom: config.largeDeposit,
    limited: limited && localRpcUrl === null,
  })
  withdrawalRoutes(serve, { db, clock, site, log, maxOpen: config.withdrawals.limits.openPerWallet })
  transparencyRoutes(serve, { db, clock })
  const policy = { cluster: chain.facts.cluster, limits: config.withdrawals.limits }
  siteRoutes(serve, { ...config, ...worldState, terms: await openTerms({ ...config, log, policy }) })
  assertAllRoutesServed(serve.served, chain.facts)

  serveStatus(app, { db, clock, limited, routes: [...serve.served] })
  serveWebApp(app, WEB_BUILD, { limited })
  return app
}

function assertAllRoutesServed(served: ReadonlySet<Route>, { cluster }: ChainFacts): void {
  for (const [name, route] of Object.entries(ROUTES)) {
    assert(served.has(route) || (route.localOnly && cluster !== 'local'), `nothing serves ${name}`)
  }
}
