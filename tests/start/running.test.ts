import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, expect } from 'vitest'
import { WebSocket } from 'ws'
import { sql } from '#server/platform/db/db.ts'
import { METRICS, type MetricRole, type MetricRow } from '#server/platform/metrics/metric-table.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { playWithdrawal } from '#tests/support/play-withdrawal.ts'
import {
  killServer,
  listProcessTree,
  makeDataDir,
  rolesOf,
  type RunningServer,
  runServer,
  waitFor,
} from '#tests/support/run-server.ts'
import { signLogin } from '#tests/support/serve-app.ts'
import type { TestPlayer } from '#tests/support/test-player.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'

// The tests of this file share one game, because a start takes several seconds of a processor. The first ones expect a game
// that nobody has played, and the last one ends it.

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

// Another address than that of the game: METRICS_HOST decides.
const METRICS_HOST = '127.0.0.2'

type Game = { server: RunningServer; metricsPort: number; consolePort: number }

const folder = makeDataDir()
let game: Promise<Game> | undefined

/** The game, which the first test that asks for it starts. */
const openGame = (world: TestWorld): Promise<Game> => (game ??= startGame(world))

async function startGame(world: TestWorld): Promise<Game> {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  // Three roles serve metrics.
  const metricsPort = await findFreePort(4)
  const consolePort = metricsPort + 3
  const server = runServer({
    dataDir: folder.dataDir,
    env: {
      ...world.environment,
      METRICS_PORT: String(metricsPort),
      METRICS_HOST,
      CONSOLE_PORT: String(consolePort),
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of-a-provider',
      OTEL_BSP_SCHEDULE_DELAY: '200',
      DRAIN_SECONDS: '2',
      FINISH_SECONDS: '30',
    },
  })
  return { server, metricsPort, consolePort }
}

afterAll(async () => {
  await killServer((await game)?.server)
  receiver.close()
  folder.remove()
})

const refusesConnections = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.once('connect', () => resolve(false)).once('error', () => resolve(true))
    socket.once('connect', () => socket.destroy())
  })

test('the console needs a port and an operator: without either there is one listener less', async ({
  world,
}) => {
  const { server, consolePort } = await openGame(world)
  await server.ready
  expect(server.output()).toContain('The operators’ console is off: No operators are named')
  expect(await refusesConnections(`http://127.0.0.1:${consolePort}/`)).toBe(true)
  expect(rolesOf(server)).toContain('api')
  expect(rolesOf(server)).not.toContain('console')
})

test('every role serves its metrics and its health, and the watcher those of the signer', async ({
  world,
}) => {
  const { server, metricsPort } = await openGame(world)
  const url = await server.ready
  await fetch(`${url}/api/workers/types`)
  const read = async (role: MetricRole, path: string) => {
    const offset = ['api', 'watcher', 'local-chain'].indexOf(role)
    return fetch(`http://${METRICS_HOST}:${metricsPort + offset}${path}`)
  }
  for (const role of ['api', 'watcher', 'local-chain'] as const) {
    expect((await read(role, '/livez')).status, role).toBe(200)
    expect((await read(role, '/readyz')).status, role).toBe(200)
    const text = await (await read(role, '/metrics')).text()
    expect(typesOf(text), role).toEqual(tableOf(role))
    expect(text).toMatch(/^process_resident_memory_bytes \d/m)
  }
  await waitFor('the signer', async () => {
    const { signer } = (await (await read('watcher', '/readyz')).json()) as { signer: string }
    return signer === 'ready'
  })
  await waitFor('a sample of each kind', async () => {
    const text = await (await read('watcher', '/metrics')).text()
    return (
      /^cotton_rounds_total\{round="solvency",outcome="ok"\} [1-9]/m.test(text) &&
      /^cotton_chain_slot_timestamp_seconds [1-9]/m.test(text) &&
      /^cotton_reserve_surplus_cotton 0$|^cotton_reserve_surplus_cotton [1-9]/m.test(text) &&
      /^cotton_treasury_sol [\d.]+$/m.test(text) &&
      /^cotton_signer_stage\{stage="ready"\} 1$/m.test(text)
    )
  })
  // An api is ready before its connection for notifications, without which it polls.
  const api = await waitFor('the connection for notifications', async () => {
    const text = await (await read('api', '/metrics')).text()
    return /^cotton_bus_connected 1$/m.test(text) && text
  })
  expect(api).toMatch(/^http_requests_total\{method="GET",route="\/api\/workers\/types",status="200"\} 1$/m)
  expect(api).toMatch(/^cotton_db_connections\{pool="cotton-api",state="idle"\} [1-9]/m)
})

/** The names and types of the game's own metrics. */
const typesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^# TYPE ((?:cotton|http)_\S+) (\w+)$/gm)]
      .map((match) => [match[1]!, match[2]!] as const)
      .toSorted(),
  )

const tableOf = (role: MetricRole): Record<string, string> =>
  Object.fromEntries(
    Object.entries<MetricRow>(METRICS)
      .filter(([, { roles }]) => roles.includes(role))
      .map(([name, { type }]) => [name, type] as const)
      .toSorted(),
  )

test(
  'one trace follows a withdrawal from the request to the signature on the chain',
  { tags: 'variant' },
  async ({ world }) => {
    const { server } = await openGame(world)
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const browserSpan = 'b7ad6b7169203331'
    const { id, signature, secrets } = await playWithdrawal(await server.ready, {
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
    const sent = JSON.stringify(received)
    expect(sent).toContain(signature)
    expect(sent).not.toContain('token')
    for (const [name, secret] of Object.entries(secrets)) expect(sent.includes(secret), name).toBe(false)
  },
)

const lockAccounts = sql({
  name: 'test-lock',
  params: { wallet: 'text' },
  text: ({ wallet }) => `select from accounts where wallet = ${wallet} for update`,
})
const countWaiting = sql({
  name: 'test-waiting',
  text: `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
})

async function logIn(url: string, player: TestPlayer): Promise<string> {
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await answer.json()) as { message: string; token: string }
  }
  const { message } = await post('/api/users/nonce', { walletAddress: player.wallet })
  return (await post('/api/users/verify-wallet', signLogin(player, message))).token
}

test('a stopping api reports 503 first, and finishes the requests in flight', async ({ world }) => {
  const { server } = await openGame(world)
  const player = await world.player({ deposited: 50_000 })
  const workerId = await world.hire(player, 'kid')
  const url = await server.ready
  const token = await logIn(url, player)
  const socket = new WebSocket(url.replace('http:', 'ws:'))
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.once('open', resolve))

  const claimed = await world.db.transaction(async (tx) => {
    await tx.rows(lockAccounts, { wallet: player.wallet })
    const answer = fetch(`${url}/api/workers/claim`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-token': token },
      body: JSON.stringify({ workerId }),
    })
    await waitFor(
      'the claim to wait for the lock',
      async () => (await world.db.rows(countWaiting)).length > 0,
    )

    process.kill(server.pid, 'SIGTERM')
    const draining = await waitFor('readyz to say 503', async () => {
      const ready = await fetch(`${url}/readyz`)
      return ready.status === 503 ? ready : null
    })
    expect(await draining.json()).toEqual({ status: 'draining' })
    expect(draining.headers.get('connection')).toBe('close')
    const meanwhile = await fetch(`${url}/api/continent-stats`)
    expect([meanwhile.status, meanwhile.headers.get('connection')]).toEqual([200, 'close'])

    await waitFor('the port to close', () => refusesConnections(url))
    expect(listProcessTree(server.pid).length).toBeGreaterThan(1)
    return { answer }
  })
  const answer = await claimed.answer
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ success: true })])
  expect(await closed).toBe(1001)
  expect(await server.ended).toBe(0)
})
