import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'
import { recordMeasurements } from './record-measurements.ts'
import type { MetricRole } from './metric-table.ts'
import { createMetrics, type Metrics } from './registry.ts'

export type MetricsSettings = { metricsHost: string; metricsPort: number }

/** Whether a role can do its work now, and the facts that explain it. */
export type Readiness = { ready: boolean; facts?: Record<string, unknown> }

type Options = MetricsSettings & {
  role: MetricRole
  isReady(): Promise<Readiness>
  /** Adds the metrics of the role. */
  addMetrics?: (metrics: Metrics) => void
}

/** More than one Prometheus scrapes at a time, and nobody else needs a connection. */
const LIMITS = { maxConnections: 50, headersTimeout: 5_000, requestTimeout: 8_000 }

/**
 * Serves `/metrics`, `/livez` and `/readyz` on an address of their own, which players cannot reach. Port 0 disables them.
 * Rejects with a `StartupError` if the address cannot be used.
 */
export async function serveMetrics(options: Options): Promise<{ stop(): Promise<void> }> {
  const { metricsHost: host, metricsPort: port, role, isReady, addMetrics } = options
  if (port === 0) return { stop: async () => {} }
  const metrics = createMetrics(role)
  const stopRecording = recordMeasurements(metrics)
  addMetrics?.(metrics)
  const server = Object.assign(createServer(answerWith(metrics, isReady)), LIMITS)
  await new Promise<void>((resolve, reject) => {
    const fail = (error: unknown) => reject(new StartupError(describe(error, { host, port })))
    server.once('error', fail).listen(port, host, resolve)
  })
  return {
    stop: () => {
      stopRecording()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      return closed
    },
  }
}

function answerWith(metrics: Metrics, isReady: () => Promise<Readiness>): RequestListener {
  const paths = new Map<string, (response: ServerResponse) => Promise<void>>([
    [
      '/metrics',
      async (response) => {
        const text = await metrics.text()
        response.writeHead(200, { 'content-type': metrics.contentType }).end(text)
      },
    ],
    ['/livez', async (response) => sendJson(response, 200, { status: 'ok' })],
    [
      '/readyz',
      async (response) => {
        const { ready, facts } = await isReady().catch((): Readiness => ({ ready: false }))
        sendJson(response, ready ? 200 : 503, { status: ready ? 'ok' : 'not ready', ...facts })
      },
    ],
  ])
  return (request, response) => {
    const answer = paths.get(request.url ?? '')
    if (!answer) return void response.writeHead(404).end()
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { allow: 'GET, HEAD' }).end()
    answer(response).catch(() => response.writeHead(500).end())
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function describe(error: unknown, { host, port }: { host: string; port: number }): string {
  const code = errorCode(error)
  if (code === 'EADDRINUSE')
    return `Port ${port} is already taken: set METRICS_PORT to another port. The watcher uses the next one, and the local chain the one after it.`
  return `Metrics cannot be served at ${host}, port ${port} (${code}): check METRICS_HOST and METRICS_PORT.`
}
