import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Metrics } from './registry.ts'

/** Measures rate, errors and duration of the requests of each route. */
export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method } = request
    const route = routeLabel(request)
    metrics.count('http_requests_total', { method, route, status: String(reply.statusCode) })
    metrics.observe('http_request_duration_seconds', reply.elapsedTime / 1_000, { method, route })
  })
}

/** Files, pages and unknown paths have one label each: their names change with each build and each caller. */
const routeLabel = ({ servedAs, routeOptions: { url } }: FastifyRequest): string =>
  servedAs ?? url ?? 'unknown'
