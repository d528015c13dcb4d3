import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitFor } from '#tests/support/run-server.ts'
import { createHttpServer } from './http-server.ts'

let app: FastifyInstance
let port: number
const calls = { open: 0, most: 0, all: 0 }

beforeAll(async () => {
  app = await createHttpServer(
    { publicUrl: 'http://farm.test', trustProxy: false, limited: false },
    pino({ level: 'silent' }),
  )
  app.get('/large', (_request, reply) => {
    calls.all += 1
    calls.open += 1
    calls.most = Math.max(calls.most, calls.open)
    reply.raw.once('close', () => (calls.open -= 1))
    return reply.send(Buffer.alloc(8 * 1024 * 1024))
  })
  app.get('/:name', (request) => (request.params as { name: string }).name)
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => app.close())

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: farm.test\r\n\r\n`

/** A connection that sends all of this at once. */
function open(text: string) {
  const connection = { received: '', ended: false, socket: connect(port, '127.0.0.1') }
  connection.socket.on('error', () => {})
  connection.socket.on('data', (data) => (connection.received += String(data)))
  connection.socket.on('close', () => (connection.ended = true))
  connection.socket.write(text)
  return connection
}

test('requests that arrive together are answered in their order', async () => {
  const connection = open(['a', 'b', 'c', 'd'].map((name) => request(`/${name}`)).join(''))
  await waitFor('four answers', () => connection.received.endsWith('d'))
  expect(connection.received.match(/\r\n\r\n\w/g)).toEqual(
    ['a', 'b', 'c', 'd'].map((name) => `\r\n\r\n${name}`),
  )
  connection.socket.destroy()
})

test('a client that reads no answer keeps one request open and not all that it has sent', async () => {
  const { socket } = open(request('/large').repeat(20))
  socket.pause()
  await waitFor('the first request', () => calls.open === 1)
  // Another connection is answered meanwhile.
  const other = open(request('/a'))
  await waitFor('an answer', () => other.received.endsWith('a'))
  expect(calls).toEqual({ open: 1, most: 1, all: 1 })
  socket.destroy()
  await waitFor('the request to end', () => calls.open === 0)
  expect(calls.all).toBe(1)
  other.socket.destroy()
})

test('a connection on which too many requests wait is closed', async () => {
  const connection = open(request('/large').repeat(40))
  connection.socket.pause()
  await waitFor('the server to close it', () => calls.open === 0 && calls.all === 2)
  connection.socket.resume()
  await waitFor('the end', () => connection.ended)
})
