import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { expect } from 'vitest'
import { freezeDate } from '#tests/support/freeze-date.ts'
import { openSocket, readUpgradeStatus, socketUrl } from '#tests/support/test-socket.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { createApp } from './app.ts'
import type { Chain } from './chain/port.ts'
import { readConfig } from './platform/config.ts'

const logged: string[] = []

const chain = { facts: { cluster: 'local' } } as Chain

/** The whole api with its limits, over no chain: nothing here asks one. */
async function openApp(world: TestWorld, settings: Record<string, string> = {}): Promise<FastifyInstance> {
  logged.length = 0
  const env = {
    ...settings,
    DATABASE_URL: world.urlFor('api'),
    PUBLIC_URL: 'http://farm.test',
    DATA_DIR: '/nowhere',
  }
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) })
  return createApp({ config: readConfig(env), db: world.db, chain, clock: world.clock, log })
}

test('the readiness of the server and the description of its calls are limited like other reads', async ({
  world,
}) => {
  freezeDate()
  const app = await openApp(world)
  for (const url of ['/readyz', '/api/openapi.json']) {
    const statuses = []
    for (let each = 0; each < 420; each++) statuses.push((await app.inject({ url })).statusCode)
    expect([url, statuses.filter((status) => status === 200).length]).toEqual([url, 400])
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
  }
  expect((await app.inject({ url: '/healthz' })).statusCode).toBe(200)
  await app.close()
})

test('readiness reports a lost database and a standby, while liveness stays ok', async ({ world }) => {
  let state: 'ok' | 'standby' | 'unreachable' = 'ok'
  const rows: typeof world.db.rows = async (statement, ...params) => {
    if (state === 'unreachable') throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    if (statement.name === 'db-is-standby') return [{ standby: state === 'standby' }] as never
    return world.db.rows(statement, ...params)
  }
  const app = await openApp({ ...world, db: { ...world.db, rows } })
  const ask = async (url: string) => {
    const { statusCode, json } = await app.inject({ url })
    return [statusCode, (json() as { database?: string }).database]
  }
  expect(await ask('/readyz')).toEqual([200, undefined])
  for (const lost of ['standby', 'unreachable'] as const) {
    state = lost
    expect(await ask('/readyz')).toEqual([503, lost])
    expect(await ask('/healthz')).toEqual([200, undefined])
  }
  await app.close()
})

test('while it drains it is not ready, and asks every client to connect elsewhere', async ({ world }) => {
  const app = await openApp(world)
  expect((await app.inject({ url: '/readyz' })).json()).toMatchObject({ status: 'ok' })
  app.drainingSince = world.clock.now()
  const ready = await app.inject({ url: '/readyz' })
  expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'draining' }])
  for (const url of ['/healthz', '/api/workers/types', '/api/nothing']) {
    const { headers } = await app.inject({ url })
    expect([url, headers.connection]).toEqual([url, 'close'])
  }
  await app.close()
})

test('a caller gets fifty sockets: an address, and behind a trusted proxy the network that it forwards', async ({
  world,
}) => {
  for (const TRUST_PROXY of ['off', '127.0.0.1']) {
    const app = await openApp(world, { TRUST_PROXY })
    await app.listen({ host: '127.0.0.1', port: 0 })
    const url = socketUrl(app.server)
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
    for (let each = 0; each < 50; each++) await openSocket(url, from(`2001:db8:1:2::${each}`))
    expect(await readUpgradeStatus(url, from('2001:db8:1:2::50'))).toBe(429)
    const other = from('2001:db8:1:3::1')
    if (TRUST_PROXY === 'off') expect(await readUpgradeStatus(url, other)).toBe(429)
    else await openSocket(url, other)
    // Calls go on.
    expect((await fetch(`${url.replace('ws:', 'http:').replace('/ws', '')}/readyz`)).status).toBe(200)
    await app.close()
  }
})

test('a question about the whole server is refused without a word in the log', async ({ world }) => {
  const app = await openApp(world)
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  const answer = await new Promise<string>((resolve) => {
    let text = ''
    const socket = connect(Number(url.port), '127.0.0.1', () =>
      socket.write('OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    )
    socket.on('data', (chunk) => (text += String(chunk))).on('close', () => resolve(text))
  })
  expect(answer).toMatch(/^HTTP\/1\.1 404 [^]*"code":"route_unknown"/)
  expect(logged.filter((line) => line.includes('bug'))).toEqual([])
  await app.close()
})
