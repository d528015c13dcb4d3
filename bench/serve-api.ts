// The product's api in a child process: HTTP server, sessions, routes, files and connection pool, without a chain.
import { join } from 'node:path'
import { pino } from 'pino'
import { accountRoutes } from '#server/account/routes.ts'
import { createSessions } from '#server/account/sessions.ts'
import { systemClock } from '#server/platform/clock.ts'
import { openDb } from '#server/platform/db/db.ts'
import { createHttpServer } from '#server/platform/http/http-server.ts'
import { createServe } from '#server/platform/http/serve.ts'
import { serveWebApp } from '#server/platform/http/web-app.ts'
import { siteOf } from '#server/platform/site.ts'
import { createMarket } from '#server/market/market-mode.ts'
import { marketRoutes } from '#server/market/routes.ts'
import { parcelRoutes } from '#server/parcels/routes.ts'
import { workerRoutes } from '#server/workers/routes.ts'
import { openWorldState } from '#server/world/world-state.ts'
import { EMPTY } from './empty-route.ts'
import { serveUnbatched } from './serve-unbatched.ts'

const databaseUrl = process.env.DATABASE_URL ?? ''
const db = openDb(databaseUrl, { max: 10, applicationName: 'cotton-api' })
const settings = { publicUrl: 'http://bench.test', trustProxy: false, limited: false } as const
const log = pino({ level: 'error' })
const app = await createHttpServer(settings, log)
const sessions = createSessions({ db, clock: systemClock })
const market = createMarket(process.env.BENCH_MARKET === 'open' ? 'open' : 'auto')
const world = await openWorldState(app, {
  db,
  clock: systemClock,
  market,
  publicUrl: settings.publicUrl,
  log,
  busDatabaseUrl: process.env.DATABASE_DIRECT_URL ?? databaseUrl,
})
const serve = createServe(app, { authenticate: sessions.authenticate, limited: false })
const deps = { db, clock: systemClock, market, ...world }
if (process.env.BENCH_UNBATCHED) {
  serveUnbatched(serve, deps)
} else {
  accountRoutes(serve, { ...deps, sessions, site: siteOf({ publicUrl: 'http://bench.test' }, 'local') })
  workerRoutes(serve, deps)
  parcelRoutes(serve, deps)
  marketRoutes(serve, deps)
}
serveWebApp(app, join(import.meta.dirname, '../.build/web'), { limited: false })
serve(EMPTY, async () => ({ success: true as const, claimedAmount: 1, newBalance: 1 }))

// Ends with the parent process.
process.once('disconnect', async () => {
  await app.close()
  await db.end()
})
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
