import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { measureRequests } from '#server/platform/metrics/measure-requests.ts'
import { serveMetrics } from '#server/platform/metrics/serve-metrics.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { freezeDate } from '#tests/support/freeze-date.ts'
import { createHttpServer } from './http-server.ts'
import { serveWebApp } from './web-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'web-app-'))
// The game may be installed anywhere, also below a folder with the name of one of its own.
const root = join(folder, 'assets', 'web')
const app = await createHttpServer(
  { publicUrl: 'http://farm.test', trustProxy: false, limited: false },
  pino({ level: 'silent' }),
)

beforeAll(async () => {
  mkdirSync(join(root, 'pages', 'parcels'), { recursive: true })
  mkdirSync(join(root, 'assets'))
  for (const [file, text] of [
    ['index.html', 'start'],
    ['pages/index.html', 'hero'],
    ['pages/myfarm.html', 'farm'],
    ['pages/parcels.html', 'world'],
    ['pages/parcels/EU.html', 'europe'],
    ['pages/parcels/_.html', 'continent'],
    ['robots.txt', 'robots'],
    ['assets/app-1.js', 'script'],
  ] as const)
    writeFileSync(join(root, file), text)
  serveWebApp(app, root, { limited: false })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

test.each([
  ['/', 'hero'],
  ['/?from=friend', 'hero'],
  ['/index', 'start'],
  ['/myfarm', 'farm'],
  ['/myfarm?from=menu', 'farm'],
  ['/parcels', 'world'],
  ['/parcels/EU', 'europe'],
  ['/parcels/XX', 'continent'],
  ['/parcels/EU/FR', 'start'],
  ['/no-such-page', 'start'],
  ['/robots.txt', 'robots'],
])('%s is answered with its own page', async (url, text) => {
  const answer = await app.inject({ url })
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toBe(text)
  expect(answer.headers['cache-control']).toBe('no-cache')
})

test.each([
  '/favicon.ico',
  '/apple-touch-icon.png',
  '/sw.js',
  '/none.webmanifest',
  '/assets/app-0.js',
  '/x.js',
  '/parcels/EU.html.map',
  '/deep/down/picture.png',
  '/.env',
  '/wp-login.php?x=1',
])('%s does not exist and is not answered with a page', async (url) => {
  const answer = await app.inject({ url, headers: { accept: 'text/html' } })
  expect([answer.statusCode, answer.json().success]).toEqual([404, false])
})

test('a path of dots is searched by no expression that starts again at each of them', async () => {
  const dots = '.'.repeat(1_000)
  const exec = vi.spyOn(RegExp.prototype, 'exec')
  const { statusCode, body } = await app.inject({ url: `/${dots}/` })
  const { calls, contexts } = exec.mock
  exec.mockRestore()
  expect([statusCode, body]).toEqual([200, 'start'])
  const searching = contexts.filter((_expression, at) => calls[at]!.join().includes(dots)).map(String)
  expect(searching).not.toEqual([])
  // A repetition that may start anywhere takes quadratic time.
  const startsAnywhere = searching.filter((expression) => !expression.startsWith('/^'))
  expect(startsAnywhere.filter((expression) => /[+*{]/.test(expression))).toEqual([])
})

test('all files of a caller share one rate limit, far above what a page loads', async () => {
  freezeDate()
  const limited = await createHttpServer(
    { publicUrl: 'http://farm.test', trustProxy: false, limited: true },
    pino({ level: 'silent' }),
  )
  serveWebApp(limited, root, { limited: true })
  const count = async (times: number, request: (at: number) => { method?: 'POST'; url: string }) => {
    const statuses: Record<number, number> = {}
    for (let at = 0; at < times; at++) {
      const { statusCode } = await limited.inject(request(at))
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
    }
    return statuses
  }
  const read = await count(4_050, (at) => ({ url: at % 2 ? '/robots.txt' : '/assets/app-1.js' }))
  expect(read).toEqual({ 200: 4_000, 429: 50 })
  // What no page does is limited like any other unknown request.
  expect(await count(450, () => ({ method: 'POST', url: '/robots.txt' }))).toEqual({ 404: 400, 429: 50 })
  await limited.close()
})

test('metrics count all files as one route, all pages as another, and everything else as a third', async () => {
  const metricsPort = await findFreePort()
  freezeDate()
  const counted = await createHttpServer(
    { publicUrl: 'http://farm.test', trustProxy: false, limited: true },
    pino({ level: 'silent' }),
  )
  counted.get('/healthz', () => ({ status: 'ok' }))
  serveWebApp(counted, root, { limited: true })
  const metrics = await serveMetrics({
    metricsHost: '127.0.0.1',
    metricsPort,
    role: 'api',
    isReady: async () => ({ ready: true }),
    addMetrics: (added) => measureRequests(counted, added),
  })
  const urls = [
    '/assets/app-1.js',
    '/robots.txt',
    '/',
    '/myfarm',
    '/parcels/XX',
    '/x.js',
    '/api/x',
    '/healthz',
  ]
  for (const url of urls) await counted.inject({ url })
  // Refused requests count as well.
  for (let at = 0; at < 4_000; at++) await counted.inject({ url: '/robots.txt' })
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const rows = [
    ...text.matchAll(/^http_requests_total\{method="GET",route="([^"]+)",status="(\d+)"\} (\d+)$/gm),
  ]
  expect(rows.map(([, ...row]) => row.join(' ')).toSorted()).toEqual([
    '/healthz 200 1',
    'page 200 3',
    'static 200 4000',
    'static 429 2',
    'unknown 404 2',
  ])
  await metrics.stop()
  await counted.close()
})

// Without base-uri and form-action a page may set any base and send forms anywhere: default-src is not for them.
const PAGE_POLICY = [
  "base-uri 'none'",
  "connect-src 'self'",
  "default-src 'none'",
  "font-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "manifest-src 'self'",
  "media-src 'self'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "script-src 'self'",
  "style-src 'self'",
  "trusted-types 'none'",
]

test('everything that a browser may show as a page has the security headers of pages, also a 404 (A-30)', async () => {
  for (const url of [
    '/',
    '/myfarm',
    '/robots.txt',
    '/assets/app-1.js',
    '/assets/app-0.js',
    '/api',
    '/%61pi/x',
  ]) {
    const { headers } = await app.inject({ url })
    const policy = String(headers['content-security-policy'])
    expect([url, policy.split(';').toSorted()]).toEqual([url, PAGE_POLICY])
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
  }
})
