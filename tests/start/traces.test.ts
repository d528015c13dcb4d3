import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { openTracing } from '#server/platform/tracing/tracing.ts'
import {
  listProcessTree,
  makeDataDir,
  type RunningServer,
  runServer,
  waitFor,
} from '#tests/support/run-server.ts'
import { playWithdrawal } from '#tests/support/play-withdrawal.ts'
import { test } from '#tests/support/test-world.ts'

type OtlpSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}
type OtlpRequest = {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue: string } }[] }
    scopeSpans: { spans: OtlpSpan[] }[]
  }[]
}

const folder = makeDataDir()
let server: RunningServer | undefined
const received: (OtlpSpan & { service: string })[] = []
const requests: { path: string; key: string }[] = []

/** A receiver of OTLP over HTTP. */
const receiver = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
  request.on('end', () => {
    requests.push({ path: request.url ?? '', key: String(request.headers['x-key']) })
    for (const { resource, scopeSpans } of (JSON.parse(body) as OtlpRequest).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name')!.value.stringValue
      for (const { spans } of scopeSpans) received.push(...spans.map((span) => ({ ...span, service })))
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})

afterAll(async () => {
  for (const { pid } of server ? listProcessTree(server.pid) : []) process.kill(pid, 'SIGKILL')
  await server?.ended
  receiver.close()
  folder.remove()
})

test('one trace follows a withdrawal from the request to the signature on the chain', async ({ world }) => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  server = runServer({
    dataDir: folder.dataDir,
    env: {
      ...world.environment,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of-a-provider',
      OTEL_BSP_SCHEDULE_DELAY: '200',
    },
  })
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const browserSpan = 'b7ad6b7169203331'
  const { id, signature } = await playWithdrawal(await server.ready, {
    traceparent: `00-${traceId}-${browserSpan}-01`,
  })
  const spanOf = (name: string) => received.find((span) => span.traceId === traceId && span.name === name)
  await waitFor('the spans of the payout', () => spanOf('land'))
  const request = spanOf('POST /api/users/withdrawals')!
  const whole = spanOf('withdrawal')!
  expect(request).toMatchObject({ parentSpanId: browserSpan, service: 'cotton-farm-api' })
  expect(whole).toMatchObject({ parentSpanId: request.spanId, service: 'cotton-farm-signer' })
  const ended: bigint[] = []
  for (const name of ['review', 'sign', 'land']) {
    const span = spanOf(name)!
    expect(span).toMatchObject({ parentSpanId: whole.spanId, service: 'cotton-farm-signer' })
    const attributes = Object.fromEntries(span.attributes.map(({ key, value }) => [key, value.stringValue]))
    expect(attributes).toEqual({ 'cotton.withdrawal.id': id, 'solana.signature': signature })
    ended.push(BigInt(span.endTimeUnixNano))
  }
  expect(ended).toEqual(ended.toSorted((a, b) => Number(a - b)))
  expect(requests[0]).toEqual({ path: '/v1/traces', key: 'of-a-provider' })
  // A request without a parent starts a trace of its own.
  const own = received.find(({ name }) => name === 'POST /api/users/nonce')!
  expect(own.parentSpanId ?? '').toBe('')
  expect(own.traceId).not.toBe(traceId)
  // Attributes name routes and ids, and no secret.
  expect(JSON.stringify(received)).not.toMatch(/token|signature":"[^"]{80}/)
})

/** Lists the packages that a process loads when it opens tracing with these variables. */
const LIST_LOADED = `
import { registerHooks } from 'node:module'
const loaded = new Set()
registerHooks({
  resolve(name, context, next) {
    const resolved = next(name, context)
    const [, packageName] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(resolved.url) ?? []
    if (packageName) loaded.add(packageName)
    return resolved
  },
})
await import('#server/app.ts')
await import('#server/monitoring/start-monitoring.ts')
const { openTracing } = await import('#server/platform/tracing/tracing.ts')
const tracing = await openTracing('test', process.env)
console.log(JSON.stringify([...loaded]))
process.exit(0)
`

function listLoaded(env: Record<string, string>): string[] {
  const args = ['--input-type=module', '--eval', LIST_LOADED]
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
    env,
  })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as string[]
}

test('without the variables nothing of OpenTelemetry is loaded', async () => {
  const isOtel = (name: string) => name.startsWith('@opentelemetry/')
  const without = listLoaded({ OTEL_SERVICE_NAME: 'farm', OTEL_EXPORTER_OTLP_ENDPOINT: '' })
  expect(without).toContain('fastify')
  // prom-client loads the interfaces of OpenTelemetry, which do nothing by themselves.
  expect(without.filter(isOtel).filter((name) => name !== '@opentelemetry/api')).toEqual([])
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
  expect(listLoaded({ ...endpoint, OTEL_SDK_DISABLED: 'true' }).filter(isOtel)).toEqual(
    without.filter(isOtel),
  )
  expect(listLoaded(endpoint)).toContain('@opentelemetry/sdk-trace')
  const wrong = { ...endpoint, OTEL_TRACES_SAMPLER: 'sometimes' }
  await expect(openTracing('test', wrong)).rejects.toThrow(/^OTEL_TRACES_SAMPLER is "sometimes"/)
})
