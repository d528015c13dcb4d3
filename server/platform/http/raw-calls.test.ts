import { type IncomingMessage, request } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { type Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { readFileLimit } from '#server/platform/read-file-limit.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { createHttpServer } from './http-server.ts'
import { limitConnections, MAX_CONNECTIONS_PER_CALLER, socketLimits } from './limit-connections.ts'
import { listen } from './listen.ts'
import { createQueryReader } from './parse.ts'
import { serveWebApp } from './web-app.ts'

const LOCALHOST = { host: 'localhost', settings: ['PORT', 'HOST'] } as const

const logged: string[] = []
const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) })

let app: FastifyInstance
let port: number
let refuseToRead = 0
beforeAll(async () => {
  const settings = {
    publicUrl: 'http://farm.test',
    trustProxy: false,
    limited: false,
    stalledMs: 1_000,
  } as const
  app = await createHttpServer(settings, log)
  app.get('/api/things/:name', () => ({ success: true }))
  app.post('/api/things', () => ({ success: true }))
  const readQuery = createQueryReader(z.strictObject({ who: z.optional(z.string()) }))
  app.get('/api/log', (request) => ({ who: readQuery(request).who ?? null }))
  app.get('/api/large', (_request, reply) => {
    reply.raw.once('close', () => (refuseToRead += 1))
    return reply.send(Buffer.alloc(64 * 1024 * 1024))
  })
  serveWebApp(app, '/nowhere', { limited: false })
  await listen(app, { ...LOCALHOST, port: 0 }, log)
  port = (app.server.address() as { port: number }).port
})
afterAll(() => app.close())

/** Sends bytes and returns everything received until the connection closed. */
function send(bytes: string, { hangUp = false, host = '127.0.0.1' } = {}): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(port, host, () => {
      socket.write(bytes)
      if (hangUp) setTimeout(() => socket.destroy(), 50)
    })
    socket.on('data', (chunk) => (text += String(chunk)))
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
}

const HEAD = 'Host: farm.test\r\nConnection: close\r\n'
const RAW: [what: string, status: number, code: string, bytes: string][] = [
  [
    'a URL that is too long',
    414,
    'address_too_long',
    `GET /api/things/${'x'.repeat(200)} HTTP/1.1\r\n${HEAD}\r\n`,
  ],
  ['a malformed URL', 400, 'malformed', `GET /api/things/%zz HTTP/1.1\r\n${HEAD}\r\n`],
  [
    'headers that are too large',
    431,
    'headers_too_large',
    `GET / HTTP/1.1\r\n${HEAD}X: ${'x'.repeat(20_000)}\r\n\r\n`,
  ],
  ['an unknown Expect header', 417, 'expectation_unknown', `GET / HTTP/1.1\r\n${HEAD}Expect: cake\r\n\r\n`],
  ['bytes that are not HTTP', 400, 'malformed', 'hello, is anybody there?\r\n\r\n'],
  ['a header without a name', 400, 'malformed', `GET / HTTP/1.1\r\n${HEAD}: x\r\n\r\n`],
  [
    'two content lengths',
    400,
    'malformed',
    `POST /api/things HTTP/1.1\r\n${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`,
  ],
  ['a request without a host', 400, 'malformed', 'GET / HTTP/1.1\r\n\r\n'],
  ['OPTIONS for the whole server', 404, 'route_unknown', `OPTIONS * HTTP/1.1\r\n${HEAD}\r\n`],
  ['a WebDAV method', 404, 'route_unknown', `PROPFIND /api/things HTTP/1.1\r\n${HEAD}\r\n`],
]

const EVERYWHERE = ['127.0.0.1', '::1'].flatMap((host) => RAW.map((raw) => [host, ...raw] as const))

test.each(EVERYWHERE)('at %s %s is refused in the usual format', async (...raw) => {
  const [host, , status, code, bytes] = raw
  logged.length = 0
  const [head = '', body = ''] = (await send(bytes, { host })).split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(JSON.parse(body)).toMatchObject({ success: false, code, message: expect.any(String) })
  expect(head.toLowerCase()).toContain('x-content-type-options: nosniff')
  expect(head.toLowerCase()).toContain("content-security-policy: default-src 'none'")
  expect(head.toLowerCase()).toContain('cache-control: no-store')
  expect(`${head}${body}`).not.toMatch(/FST_|xxxx/)
  expect(logged).toEqual([])
})

test.each(['http://farm.test', 'HTTPS://other.test:8443'])(
  'a request whose target begins with %s is answered like one with the path only',
  async (origin) => {
    const answerOf = async (target: string) =>
      (await send(`GET ${target} HTTP/1.1\r\n${HEAD}\r\n`)).replace(/^(date|x-request-id): .*$/gim, '')
    for (const path of ['/api/things/hat?size=1', '/api/nothing', '/']) {
      expect(await answerOf(`${origin}${path}`)).toBe(await answerOf(path))
    }
    expect(await answerOf(origin)).toBe(await answerOf('/'))
    expect(await answerOf(`${origin}?size=1`)).toBe(await answerOf('/?size=1'))
  },
)

test('a target with a # does not change what others are answered', async () => {
  const whoIn = async (target: string): Promise<unknown> => {
    const [, body = ''] = (await send(`GET ${target} HTTP/1.1\r\n${HEAD}\r\n`)).split('\r\n\r\n')
    return (JSON.parse(body) as { who: unknown }).who
  }
  expect(await whoIn('/api/log#who=nobody?/api/log')).toBe('nobody?/api/log')
  expect(await whoIn('/api/log')).toBeNull()
  expect(await whoIn('/api/log#who=nobody?who=Ana')).toBe('nobody?who=Ana')
  expect(await whoIn('/api/log?who=Ana')).toBe('Ana')
})

test.each(['GET /api/things/x', 'POST /api/things'])(
  'a client that offers HTTP/2 with %s is answered where WebSockets are served too',
  async (call) => {
    const [method, path] = call.split(' ')
    const upgraded = (_request: IncomingMessage, stream: Duplex) => stream.destroy()
    app.server.on('upgrade', upgraded)
    const headers = {
      'content-type': 'application/json',
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
    }
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, method, path, headers }, resolve).on('error', reject)
      sent.end(method === 'POST' ? '{}' : undefined)
    })
    answer.resume()
    app.server.off('upgrade', upgraded)
    expect(answer.statusCode).toBe(200)
  },
)

/** Writes 64 MiB after the head of a request, for as long as the connection is open. Returns what the server has read. */
async function pour(head: string): Promise<number> {
  const accepted = new Promise<Socket>((resolve) => app.server.once('connection', resolve))
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {}).resume()
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(1 << 20, 'a'), Buffer.from('\r\n')])
  const body = Readable.from(
    (function* () {
      yield Buffer.from(head)
      for (let at = 0; at < 64; at++) yield chunk
    })(),
  )
  await pipeline(body, socket).catch(() => {})
  socket.destroy()
  return (await accepted).bytesRead
}

const LARGE = ['Content-Length: 104857600', 'Transfer-Encoding: chunked']
const ANSWERED_EARLY = ['POST /api/nowhere', 'POST /api/things/%zz', 'GET /api/things/x', 'POST /api/things']
const NOT_READ = [
  ...LARGE.flatMap((size) => ANSWERED_EARLY.map((call) => [call, size])),
  ['POST /api/things', 'Origin: http://other.test\r\nContent-Length: 104857600'],
]

test.each(NOT_READ)('after the answer to %s with %s the body is not read', async (call, size) => {
  const read = await pour(
    `${call} HTTP/1.1\r\nHost: farm.test\r\nContent-Type: application/json\r\n${size}\r\n\r\n`,
  )
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(1 << 20)
})

test('a client that disconnects in the middle of a body is not logged as an error', async () => {
  logged.length = 0
  const head = `POST /api/things HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"a"`
  await Promise.all(Array.from({ length: 20 }, () => send(head, { hangUp: true })))
  await waitFor('all disconnects to be logged', () => logged.length >= 20)
  expect(new Set(logged.map((line) => (JSON.parse(line) as { level: number }).level))).toEqual(new Set([20]))
})

test('a client that never reads its response is disconnected', async () => {
  const before = refuseToRead
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.pause()
  socket.write(`GET /api/large HTTP/1.1\r\n${HEAD}\r\n`)
  await waitFor('the server to close it', () => refuseToRead > before)
  socket.destroy()
})

test('WebSockets use at most half of the file descriptors, and other requests have a separate share', async () => {
  expect(socketLimits(1_024)).toEqual({ maxSockets: 512, maxSocketsPerCaller: 50 })
  expect(socketLimits(Infinity).maxSockets).toBe(20_000)
  const few = await createHttpServer(
    { publicUrl: 'http://farm.test', trustProxy: false, limited: false },
    pino({ level: 'silent' }),
  )
  limitConnections(few.server, { direct: true, fileLimit: 40 })
  few.get('/', () => 'here')
  const url = await few.listen({ port: 0, host: '127.0.0.1' })
  const fewPort = Number(new URL(url).port)
  // One caller opens fifty silent connections: ten stay open, and another caller is still served.
  const sockets = Array.from({ length: 50 }, () => connect({ port: fewPort, host: '127.0.0.1' }))
  let ended = 0
  for (const socket of sockets) socket.on('error', () => {}).on('close', () => (ended += 1))
  await waitFor('forty refused connections', () => ended === 40)
  const other = connect({ port: fewPort, host: '127.0.0.1', localAddress: '127.0.0.2' })
  other.write(`GET / HTTP/1.1\r\n${HEAD}\r\n`)
  const text = await new Promise<string>((resolve) => other.once('data', (chunk) => resolve(String(chunk))))
  expect(text).toMatch(/^HTTP\/1\.1 200/)
  for (const socket of sockets) socket.destroy()
  await few.close()
})

test('where callers are limited, one address opens five hundred connections', async () => {
  const limited = await createHttpServer(
    { publicUrl: 'http://farm.test', trustProxy: false, limited: true },
    pino({ level: 'silent' }),
  )
  const url = await limited.listen({ port: 0, host: '127.0.0.1' })
  const sockets = Array.from({ length: MAX_CONNECTIONS_PER_CALLER + 20 }, () =>
    connect({ port: Number(new URL(url).port), host: '127.0.0.1' }),
  )
  let ended = 0
  for (const socket of sockets) socket.on('error', () => {}).on('close', () => (ended += 1))
  const refused = sockets.length - Math.min(MAX_CONNECTIONS_PER_CALLER, Math.floor(readFileLimit() / 4))
  await waitFor('refused connections', () => ended >= refused)
  expect([MAX_CONNECTIONS_PER_CALLER, ended]).toEqual([500, refused])
  for (const socket of sockets) socket.destroy()
  await limited.close()
})

test('the addresses of localhost share the connection limit and close together', async () => {
  const both = await createHttpServer(
    { publicUrl: 'http://farm.test', trustProxy: 1, limited: false },
    pino({ level: 'silent' }),
  )
  limitConnections(both.server, { direct: false, fileLimit: 40 })
  await listen(both, { ...LOCALHOST, port: 0 }, log)
  const { port: bothPort } = both.server.address() as { port: number }
  let ended = 0
  const open = (host: string) =>
    connect({ port: bothPort, host })
      .on('error', () => {})
      .on('close', () => (ended += 1))
  const sockets = Array.from({ length: 40 }, (_, at) => open(at % 2 === 0 ? '127.0.0.1' : '::1'))
  await waitFor('ten refused connections', () => ended === 10)
  for (const socket of sockets) socket.destroy()
  await waitFor('all connections to close', () => ended === 40)
  const idle = ['127.0.0.1', '::1'].map(open)
  for (const socket of idle) socket.write('GET / HTTP/1.1\r\nHost: farm.test\r\n\r\n')
  await Promise.all(idle.map((socket) => new Promise((resolve) => socket.once('data', resolve))))
  await both.close()
  await waitFor('the remaining connections to close', () => ended === 42)
  for (const host of ['127.0.0.1', '::1']) {
    const refused = new Promise((resolve) => connect({ port: bothPort, host }).once('error', resolve))
    expect(await refused).toMatchObject({ code: 'ECONNREFUSED' })
  }
})

test('if one address of localhost is in use, a warning is logged and the other one is served', async () => {
  const lines: string[] = []
  const warnings = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const settings = { publicUrl: 'http://farm.test', trustProxy: false, limited: false } as const
  const server = await createHttpServer(settings, warnings)
  const holder = createServer()
  await new Promise<void>((resolve) => holder.listen({ port: 0, host: '::1' }, resolve))
  const { port: taken } = holder.address() as { port: number }
  const url = await listen(server, { ...LOCALHOST, port: taken }, warnings)
  expect((await fetch(`${url}/nothing`)).status).toBe(404)
  expect(lines.join('')).toContain('cannot listen on ::1')
  await server.close()
  holder.close()
})
