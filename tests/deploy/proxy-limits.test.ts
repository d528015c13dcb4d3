import { readFileSync, writeFileSync } from 'node:fs'
import { connect as connectByHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { sentenceOf } from '#contract/refusals.ts'
import { ROUTES } from '#contract/routes.ts'
import { MAX_CONNECTIONS_PER_CALLER } from '#server/platform/http/limit-connections.ts'
import { limitOf } from '#server/platform/http/rate-limits.ts'
import { findFreePort } from '#server/processes/ports.ts'
import { HAPROXY_PACKAGES, haproxySample } from '#tests/support/haproxy-sample.ts'
import { makeDataDir, waitFor } from '#tests/support/run-server.ts'
import { unpackDebianProgram } from './debian-program.ts'
import { sendSlowly } from './send-slowly.ts'
import { startApis, startProxy } from './start-proxy.ts'

const SAMPLE = readFileSync(resolve(import.meta.dirname, '../../deploy/proxy/haproxy.cfg'), 'utf8')

const program = unpackDebianProgram(HAPROXY_PACKAGES, 'usr/sbin/haproxy')
if (!program) process.stdout.write('apt-get cannot download HAProxy here: its limits are not tested\n')

let url: string
/** The requests that each of two apis has received. */
const received = [0, 0]

beforeAll(async () => {
  if (!program) return
  const folder = makeDataDir()
  const apis = await startApis(
    [...received.keys()].map((at) => (request, response) => {
      if (request.url !== '/readyz') received[at]! += 1
      request.resume().on('end', () => response.end(request.headers['x-forwarded-for']))
    }),
  )
  const own = await findFreePort()
  const file = join(folder.dataDir, 'haproxy.cfg')
  writeFileSync(
    file,
    haproxySample({ own, apis: apis.ports })
      // Of two threads that count at once, both may see the sum, and refuse one call too many.
      .replace(/^global$/m, 'global\n    nbthread 1')
      .replace('timeout http-request 10s', 'timeout http-request 2s'),
  )
  url = `http://127.0.0.1:${own}`
  const stop = await startProxy(program, { args: ['-db', '-f', file], url })
  return async () => {
    await stop()
    await apis.stop()
    folder.remove()
  }
})

/** Sends this many requests, each with another invented address, and returns how many were let through. */
async function countPassed(method: string, path: string, count: number): Promise<number> {
  let passed = 0
  for (let sent = 0; sent < count; sent += 50) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        fetch(`${url}${path}`, {
          method,
          headers: { 'x-forwarded-for': `198.51.100.${at}` },
          ...(method === 'POST' && { body: '{}' }),
        }),
      ),
    )
    for (const answer of answers) {
      if (answer.status === 200) passed += 1
      else expect(answer.status).toBe(429)
      await answer.text()
    }
  }
  return passed
}

const CASES = [
  { rateClass: 'read', method: 'GET', path: '/api/workers/supply' },
  { rateClass: 'login', method: 'POST', path: '/api/users/nonce' },
  { rateClass: 'act', method: 'POST', path: '/api/workers/claim' },
  { rateClass: 'chain', method: 'GET', path: '/api/users/check-deposit' },
] as const

test.skipIf(!program).for(CASES)(
  'two apis behind HAProxy answer together as many calls of class $rateClass as one',
  async ({ rateClass, method, path }) => {
    const before = [...received]
    expect(await countPassed(method, path, 500)).toBe(limitOf(rateClass).max)
    for (const [at, count] of received.entries()) expect(count).toBeGreaterThan(before[at]!)
  },
)

test.skipIf(!program)('other paths of the same caller, and files, are not limited with it', async () => {
  await countPassed('GET', '/api/terms', 500)
  expect(await countPassed('GET', '/api/site', 50)).toBe(50)
  expect(await countPassed('GET', '/assets/farm.js', 600)).toBe(600)
})

test.skipIf(!program)('HAProxy replaces the address that a caller invents', async () => {
  const answer = await fetch(`${url}/assets/farm.js`, { headers: { 'x-forwarded-for': '198.51.100.7' } })
  expect(await answer.text()).toBe('127.0.0.1')
})

test.skipIf(!program)('who is limited gets the refusal of the game', async () => {
  await countPassed('POST', '/api/workers/claim-all', 350)
  const answer = await fetch(`${url}/api/workers/claim-all`, { method: 'POST', body: '{}' })
  expect(answer.headers.get('retry-after')).toBe('10')
  const refusal = { code: 'too_many_requests', facts: { seconds: 10 } } as const
  expect(await answer.json()).toEqual({
    success: false,
    code: refusal.code,
    seconds: 10,
    message: sentenceOf(refusal),
  })
})

test.skipIf(!program)('a request that arrives byte by byte is not waited for', async () => {
  expect(await sendSlowly(Number(new URL(url).port))).toMatch(/^HTTP\/1\.1 408 /)
})

test.skipIf(!program)('by HTTP/2, a caller has as many requests at a time as connections', async () => {
  const before = received[0]! + received[1]!
  const countReceived = () => received[0]! + received[1]! - before
  let refused = 0
  const sessions = Array.from({ length: 7 }, () => connectByHttp2(url))
  for (const session of sessions) {
    session.on('error', () => undefined)
    for (let sent = 0; sent < 100; sent++) {
      // Its body does not end, so the request lasts until its connection is closed.
      const request = session.request({ ':method': 'POST', ':path': '/assets/farm.js' })
      request.on('error', () => undefined)
      request.once('response', (headers) => {
        if (headers[':status'] === 429) refused += 1
      })
    }
  }
  await waitFor('all requests', () => countReceived() + refused >= 700)
  for (const session of sessions) session.destroy()
  expect(countReceived()).toBeGreaterThan(MAX_CONNECTIONS_PER_CALLER - 200)
  expect(countReceived()).toBeLessThanOrEqual(MAX_CONNECTIONS_PER_CALLER)
})

/** Sends a request, and leaves the connection open. False if it is closed without an answer. */
const isAnswered = (socket: Socket): Promise<boolean> =>
  new Promise<boolean>((resolve) => {
    socket.on('error', () => undefined)
    socket.once('data', () => resolve(true)).once('close', () => resolve(false))
    socket.write('GET /assets/farm.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  })

test.skipIf(!program)('a caller has as many connections as at an api without a proxy', async () => {
  const port = Number(new URL(url).port)
  const sockets = Array.from({ length: MAX_CONNECTIONS_PER_CALLER + 100 }, () => connect(port, '127.0.0.1'))
  const answers = await Promise.all(sockets.map(isAnswered))
  for (const socket of sockets) socket.destroy()
  const answered = answers.filter(Boolean).length
  // Those of the tests before may still be open.
  expect(answered).toBeGreaterThan(MAX_CONNECTIONS_PER_CALLER - 200)
  expect(answered).toBeLessThanOrEqual(MAX_CONNECTIONS_PER_CALLER)
})

test('HAProxy knows the routes of each class', () => {
  const listed = (name: string) =>
    [...SAMPLE.matchAll(new RegExp(`^ *acl ${name} path (.*)$`, 'gm'))].flatMap(([, paths]) =>
      paths!.split(' '),
    )
  const pathsOf = (rateClass: string) =>
    Object.values(ROUTES).flatMap((route) => (route.rateClass === rateClass ? [route.path] : []))
  for (const rateClass of ['login', 'chain'])
    expect(listed(rateClass).toSorted()).toEqual(pathsOf(rateClass).toSorted())
})

test('the sample of the cluster limits callers by the same rules', () => {
  const cluster = readFileSync(resolve(import.meta.dirname, '../../deploy/cluster/haproxy.cfg'), 'utf8')
  const rulesOf = (text: string) => text.match(/^.*(?:track-sc|reject|status 429|stick-table).*$/gm)
  expect(rulesOf(SAMPLE)).toHaveLength(8)
  expect(rulesOf(cluster)).toEqual(rulesOf(SAMPLE))
})

test.for(['proxy', 'cluster'])('in %s, no process of HAProxy serves players as root', (folder) => {
  const sample = readFileSync(resolve(import.meta.dirname, '../../deploy', folder, 'haproxy.cfg'), 'utf8')
  const [, global = ''] = /^global\n(.*?)^defaults$/ms.exec(sample) ?? []
  expect(global).toMatch(/^ +user haproxy\n +group haproxy\n +chroot \/var\/lib\/haproxy$/m)
})
