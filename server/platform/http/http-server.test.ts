import { connect } from 'node:net'
import fc from 'fast-check'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { pino } from 'pino'
import { expect } from 'vitest'
import { REFUSALS } from '#contract/refusals.ts'
import { ROUTES } from '#contract/routes.ts'
import type { Route } from '#contract/route.ts'
import { createHttpServer } from './http-server.ts'
import { CachedResponse } from './cached-response.ts'
import { declaredRefusals } from './declared-refusals.ts'
import { openApiOf } from './openapi.ts'
import { createServe } from './serve.ts'
import { serveWebApp } from './web-app.ts'
import { freezeDate } from '#tests/support/freeze-date.ts'
import { call, type CallResult, logIn, serveApp } from '#tests/support/serve-app.ts'
import { testPlayer } from '#tests/support/test-player.ts'
import { test } from '#tests/support/test-world.ts'

let app: FastifyInstance
test.beforeAll(async ({ world }) => {
  app = await serveApp(world)
})

const routes: Route[] = Object.values(ROUTES)
const servedBy = (api: FastifyInstance): Route[] =>
  routes.filter((route) => api.hasRoute({ method: route.method, url: route.path }))

test('every player route refuses a call without a session (A-01)', async () => {
  const players = servedBy(app).filter((route) => route.auth === 'player')
  expect(players.length).toBeGreaterThan(4)
  for (const route of players) {
    const answer = await call(app, route.method, route.path, {
      body: route.method === 'POST' ? {} : undefined,
    })
    expect([route.path, answer.status, answer.body.code]).toEqual([route.path, 401, 'not_authenticated'])
  }
})

test('every call that changes state needs a session, except login and the local faucet (A-02)', () => {
  const open = routes
    .filter((route) => route.method === 'POST' && route.auth === 'anyone')
    .map((route) => route.path)
  expect(open).toEqual(['/api/users/nonce', '/api/users/verify-wallet', '/api/local/faucet'])
})

test('a wallet in the body that differs from the session’s is refused', async () => {
  const token = await logIn(app, testPlayer())
  const body = { workerType: 'kid', walletAddress: testPlayer().wallet }
  const answer = await call(app, 'POST', '/api/workers/purchase', { token, body })
  expect([answer.status, answer.body.code]).toEqual([403, 'wallet_of_another'])
})

test('malformed bodies are refused with the name of the field, and nothing is coerced (A-19)', async () => {
  const player = testPlayer()
  const token = await logIn(app, player)
  const own = { walletAddress: player.wallet }
  const cases: [path: string, body: unknown, field: string][] = [
    ['/api/workers/purchase', { ...own }, 'workerType'],
    ['/api/workers/purchase', { ...own, workerType: 'wizard' }, 'workerType'],
    ['/api/workers/purchase', { ...own, workerType: 'toString' }, 'workerType'],
    ['/api/workers/purchase', { ...own, workerType: ['kid'] }, 'workerType'],
    ['/api/workers/purchase', { ...own, workerType: null }, 'workerType'],
    ['/api/workers/purchase', { workerType: 'kid' }, 'walletAddress'],
    ['/api/workers/purchase', { workerType: 'kid', walletAddress: [player.wallet] }, 'walletAddress'],
    ['/api/workers/purchase', { ...own, workerType: 'kid', price: 1 }, 'price'],
    ['/api/workers/claim', { workerId: 7 }, 'workerId'],
    ['/api/workers/claim', [], 'body'],
    ['/api/workers/claim', { workerId: 'kid-0001', creditBalance: 5 }, 'creditBalance'],
    ['/api/users/nonce', { walletAddress: '0OIl' }, 'walletAddress'],
    ['/api/users/nonce', { walletAddress: player.wallet.slice(0, 31) }, 'walletAddress'],
  ]
  for (const [path, body, field] of cases) {
    const answer = await call(app, 'POST', path, { token, body })
    expect([path, JSON.stringify(body), answer.status, answer.body.field]).toEqual([
      path,
      JSON.stringify(body),
      400,
      field,
    ])
    expect(String(answer.body.message)).toContain(field)
  }
})

test('a body with __proto__ is refused', async () => {
  const token = await logIn(app, testPlayer())
  for (const payload of [
    '{"__proto__":{"workerId":"kid-0001"}}',
    '{"constructor":{"prototype":{}},"workerId":"kid-0001"}',
  ]) {
    const headers = { 'content-type': 'application/json', 'x-auth-token': token }
    const answer = await app.inject({ method: 'POST', url: '/api/workers/claim', headers, payload })
    expect(answer.statusCode).toBe(400)
  }
})

test('unknown calls are JSON 404s, whatever their path', async () => {
  for (const path of [
    '/api',
    '/api/',
    '/api/nothing',
    '/api/users/wallet',
    '/api/%00',
    '/api/workers/types/x',
  ]) {
    const answer = await app.inject({ method: 'GET', url: path })
    expect([path, answer.statusCode, answer.json().success]).toEqual([path, 404, false])
  }
  expect((await app.inject({ method: 'DELETE', url: '/api/workers/types' })).statusCode).toBe(404)
})

test('a body that is too large or not JSON is refused with a sentence', async () => {
  const send = (payload: string, type = 'application/json') =>
    app.inject({ method: 'POST', url: '/api/users/nonce', payload, headers: { 'content-type': type } })
  expect((await send(`{"walletAddress":"${'x'.repeat(20_000)}"}`)).statusCode).toBe(413)
  expect((await send('{"walletAddress"')).statusCode).toBe(400)
  expect((await send('<a/>', 'application/xml')).statusCode).toBe(415)
  expect((await send(`${'['.repeat(7_000)}${']'.repeat(7_000)}`)).statusCode).toBe(400)
})

test('no input causes a server error', async () => {
  const player = testPlayer()
  const token = await logIn(app, player)
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(
      1e21,
      -0,
      2 ** 53 + 1,
      'NaN',
      '\u0000',
      '__proto__',
      '',
      player.wallet,
      'kid',
      'kid-0001',
    ),
  )
  const posts = servedBy(app).filter((route) => route.method === 'POST' && route.path !== '/api/users/logout')
  const body = fc.oneof(
    value,
    fc.dictionary(fc.constantFrom('workerType', 'walletAddress', 'workerId', 'signature', 'message'), value),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...posts),
      body,
      fc.string({ maxLength: 40 }),
      async (route, payload, key) => {
        const { statusCode } = await app.inject({
          method: 'POST',
          url: route.path,
          headers: {
            'content-type': 'application/json',
            'x-auth-token': token,
            'idempotency-key': encodeURIComponent(key),
          },
          payload: JSON.stringify(payload) ?? '',
        })
        expect(statusCode).toBeGreaterThanOrEqual(200)
        expect(statusCode).toBeLessThan(500)
      },
    ),
    { numRuns: 500 },
  )
})

test('every data response has the security headers: fresh, cached, 304, unknown path and refusal (A-30)', async () => {
  const { headers } = await app.inject({ url: '/api/workers/types' })
  const json = { 'content-type': 'application/json' }
  const cases: [status: number, request: InjectOptions][] = [
    [200, { url: '/api/workers/types' }],
    [200, { method: 'HEAD', url: '/api/workers/types' }],
    [304, { url: '/api/workers/types', headers: { 'if-none-match': String(headers.etag) } }],
    [200, { url: `/api/parcels?owner=${testPlayer().wallet}` }],
    [400, { url: '/api/parcels' }],
    [400, { method: 'POST', url: '/api/users/nonce', payload: '{', headers: json }],
    [401, { url: ROUTES.readOwnedWorkers.path }],
    [403, { url: '/api/workers/types', headers: { origin: 'http://evil.test' } }],
    [404, { url: '/api/nothing' }],
    [404, { method: 'DELETE', url: '/api/workers/types' }],
  ]
  for (const [status, request] of cases) {
    const { statusCode, headers } = await app.inject(request)
    expect([request, statusCode]).toEqual([request, status])
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
  }
})

test('over TLS, every response has Strict-Transport-Security', async () => {
  const settings = { publicUrl: 'https://farm.test', trustProxy: false, limited: false } as const
  const secure = await createHttpServer(settings, pino({ level: 'silent' }))
  const same = new CachedResponse({ success: true as const, types: {} })
  const serve = createServe(secure, {
    authenticate: () => Promise.reject(new Error('nobody')),
    limited: false,
  })
  serve(ROUTES.readContinentStats, () => same as CachedResponse<never>)
  serveWebApp(secure, '/nowhere', { limited: false })
  for (const url of [ROUTES.readContinentStats.path, '/api/nothing', '/']) {
    const { headers } = await secure.inject({ url })
    expect([url, headers['strict-transport-security']]).toEqual([url, 'max-age=31536000'])
  }
})

test('a slow body is refused after eight seconds', async ({ world }) => {
  const slow = await serveApp(world)
  await slow.listen({ port: 0, host: '127.0.0.1' })
  const { port } = slow.server.address() as { port: number }
  const from = performance.now()
  const answer = await new Promise<string>((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        'POST /api/users/nonce HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n',
      )
    })
    const trickle = setInterval(() => socket.write('x'), 500)
    socket.on('data', (chunk) => (text += String(chunk)))
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(trickle)
      resolve(text)
    })
  })
  expect(answer).toMatch(/^HTTP\/1\.1 408/)
  // Without the settings of the server, Node finds it after 30 or 60 seconds.
  expect(performance.now() - from).toBeLessThan(20_000)
  await slow.close()
})

test('calls beyond the rate limit are refused with a waiting time; unknown paths count too (A-20, X-15)', async ({
  world,
}) => {
  freezeDate()
  const limited = await serveApp(world, { limited: true })
  const { wallet } = testPlayer()
  const body = { walletAddress: wallet }
  const askForNonce = (headers = {}) => call(limited, 'POST', '/api/users/nonce', { body, headers })
  /** How many calls of one address are answered before one is refused. */
  const countAnswered = async (ask: (at: number) => Promise<CallResult>, most = 1_000): Promise<number> => {
    for (let at = 0; at < most; at++) if ((await ask(at)).status === 429) return at
    return most
  }
  expect(Object.keys((await askForNonce()).headers).filter((name) => name.includes('ratelimit'))).toEqual([])
  expect(await countAnswered(() => askForNonce())).toBe(399)
  const last = await askForNonce()
  expect([last.status, last.body.code]).toEqual([429, 'too_many_requests'])
  expect(Number(last.headers['retry-after'])).toBeGreaterThan(0)
  expect((await askForNonce({ 'x-forwarded-for': '9.9.9.9' })).status).toBe(429)
  const get = (path: string) => call(limited, 'GET', path)
  expect(await countAnswered(() => get(`/api/users/wallet/${wallet}`))).toBe(400)
  expect(await countAnswered((at) => get(`/api/x${at}`))).toBe(400)
  // Without a session these are refused, and count.
  expect(await countAnswered(() => get(ROUTES.exportHistory.path))).toBe(60)
  const claim = () => call(limited, 'POST', ROUTES.claimWorker.path, { body: {} })
  expect(await countAnswered(claim)).toBe(300)
})

test('the OpenAPI description contains every route with its refusals (X-31)', () => {
  type Refusals = {
    content: { 'application/json': { schema: { properties: { code: { enum: string[] } } } } }
  }
  const described = openApiOf(routes, { title: 'test', version: '1' }) as {
    paths: Record<string, Record<string, { responses: Record<string, Refusals> }>>
  }
  for (const route of routes) {
    const operation = described.paths[route.path.replaceAll(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()]
    const responses: Record<string, Refusals> = operation?.responses ?? {}
    const { 200: done, ...refusals } = responses
    expect(done, route.path).toBeDefined()
    const codes = Object.entries(refusals).flatMap(([status, { content }]) =>
      content['application/json'].schema.properties.code.enum.map((code) => `${status} ${code}`),
    )
    const declared = [...declaredRefusals(route)].map((code) => `${REFUSALS[code].status} ${code}`)
    expect(codes.toSorted(), route.path).toEqual(declared.toSorted())
  }
})
