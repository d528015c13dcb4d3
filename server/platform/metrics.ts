import { createServer } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'

/**
 * Measures the number and duration of calls, and serves all metrics on a port of its own. `registerMetrics` adds those of
 * the features. Port 0 disables metrics.
 */
export async function serveMetrics(
  app: FastifyInstance,
  port: number,
  registerMetrics: (registry: Registry) => void,
): Promise<{ stop(): Promise<void> }> {
  if (port === 0) return { stop: async () => {} }
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // It would report 0 if the role is not permitted to count them.
  if (process.permission?.has('fs.read', '/proc/self/fd') === false)
    registry.removeSingleMetric('process_open_fds')
  registerMetrics(registry)
  const labelNames = ['method', 'route', 'status'] as const
  const calls = new Counter({
    name: 'http_requests_total',
    help: 'Calls answered',
    labelNames,
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a call to its answer',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = routeLabel(request)
    calls.inc({ method: request.method, route, status: String(reply.statusCode) })
    seconds.observe({ route }, reply.elapsedTime / 1_000)
  })
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    void registry
      .metrics()
      .then((text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text))
  })
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', resolve),
  )
  return { stop: () => new Promise((resolve) => server.close(() => resolve())) }
}

/** Files, pages and unknown paths have one label each: their names change with each build and each caller. */
const routeLabel = ({ servedAs, routeOptions: { config, url } }: FastifyRequest): string =>
  servedAs ?? config.servedAs ?? url ?? 'unknown'
