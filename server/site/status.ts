import type { FastifyInstance } from 'fastify'
import type { Route } from '#contract/route.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type DatabaseState, type Db, readDatabaseState } from '#server/platform/db/db.ts'
import { CachedResponse, sendCachedResponse } from '#server/platform/http/cached-response.ts'
import { openApiOf } from '#server/platform/http/openapi.ts'
import { limitOf } from '#server/platform/http/rate-limits.ts'
import { PRODUCT } from '#server/platform/site.ts'
import { readSnapshot } from '#server/solvency/reserve-snapshot.ts'
import { type ReserveStanding, standingOf } from '#server/withdrawals/reserve-standing.ts'

type StatusDeps = { db: Db; clock: Clock; limited: boolean; routes: Route[] }

type Readiness =
  | { status: 'ok'; reserve: ReserveStanding }
  | { status: 'draining' }
  | { status: 'not ready'; database: DatabaseState }

/** Serves the health checks and the description of the API. */
export function serveStatus(app: FastifyInstance, { db, clock, limited, routes }: StatusDeps): void {
  const options = limited ? { config: { rateLimit: limitOf('read') } } : {}
  // Its bytes are shared by all responses: text would be copied for each, and a client may ask for many and read none.
  const described = new CachedResponse(openApiOf(routes, { title: `${PRODUCT} API`, version: '1' }))
  app.get('/api/openapi.json', options, (request, reply) => sendCachedResponse(request, reply, described))
  // Live: the process responds. Ready: it also reaches its database and is not draining. A reserve that is short or
  // unseen raises an alert, but the api stays ready.
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', options, async (_request, reply): Promise<Readiness> => {
    if (app.drainingSince) {
      void reply.status(503)
      return { status: 'draining' }
    }
    const database = await readDatabaseState(db)
    if (database !== 'ok') {
      // No other api can help, but a proxy that asks here can show a message.
      void reply.status(503).header('retry-after', '1')
      return { status: 'not ready', database }
    }
    return { status: 'ok', reserve: standingOf(await readSnapshot(db), clock.now()) }
  })
}
