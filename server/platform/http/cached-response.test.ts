import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROUTES } from '#contract/routes.ts'
import { createHttpServer } from './http-server.ts'
import { CachedResponse } from './cached-response.ts'
import { createServe } from './serve.ts'

const { path } = ROUTES.readContinentStats

let app: FastifyInstance
let url = ''
let response = new CachedResponse<unknown>({})

beforeAll(async () => {
  const settings = { publicUrl: 'http://farm.test', trustProxy: false, limited: false } as const
  app = await createHttpServer(settings, pino({ level: 'silent' }))
  const serve = createServe(app, { authenticate: () => Promise.reject(new Error('nobody')), limited: false })
  serve(ROUTES.readContinentStats, () => response as CachedResponse<never>)
  serve(ROUTES.readWorkerTypes, async () => response as CachedResponse<never>)
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())

type Question = { method: 'GET' | 'HEAD'; tag: 'none' | 'same' | 'weak' | 'older' }

test('pipelined cached responses arrive complete and in order, whatever their length and characters', async () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3_000 }),
    // Lengths on both sides of the limit for a single write.
    fc
      .tuple(fc.constantFrom('x', 'é', '🌱'), fc.integer({ min: 900, max: 4_200 }))
      .map(([letter, times]) => letter.repeat(times)),
  )
  const question = fc.record<Question>({
    method: fc.constantFrom('GET', 'HEAD'),
    tag: fc.constantFrom('none', 'same', 'weak', 'older'),
  })
  await fc.assert(
    fc.asyncProperty(texts, fc.array(question, { minLength: 1, maxLength: 8 }), async (text, questions) => {
      response = new CachedResponse({ text })
      const bytes = Buffer.from(JSON.stringify({ text }))
      const expected = questions.map(({ method, tag }) => {
        if (tag === 'same' || tag === 'weak') return '304 '
        return method === 'HEAD' ? `200 ${bytes.length}` : `200 ${bytes.length} ${bytes.toString('latin1')}`
      })
      expect(await sendPipelined(questions, response.etag)).toEqual(expected)
    }),
    { numRuns: 300 },
  )
})

/** Sends all requests at once over one connection, and splits the bytes into responses by their content lengths. */
async function sendPipelined(questions: readonly Question[], etag: string): Promise<string[]> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const tags = { none: '', same: etag, weak: `"x", W/${etag}`, older: '"older"' }
  socket.write(
    questions
      .map(({ method, tag }, at) => {
        const last = at === questions.length - 1 ? 'close' : 'keep-alive'
        const match = tags[tag] && `if-none-match: ${tags[tag]}\r\n`
        return `${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: ${last}\r\n${match}\r\n`
      })
      .join(''),
  )
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'close')
  let rest = Buffer.concat(chunks).toString('latin1')
  const answers = questions.map(({ method }) => {
    const [head = ''] = rest.split('\r\n\r\n', 1)
    const status = head.slice(9, 12)
    const length = /^content-length: (\d+)$/im.exec(head)?.[1] ?? ''
    const body = method === 'HEAD' || status === '304' ? 0 : Number(length)
    const from = head.length + 4
    const text = rest.slice(from, from + body)
    rest = rest.slice(from + body)
    return body > 0 ? `${status} ${length} ${text}` : `${status} ${length}`
  })
  return rest === '' ? answers : [...answers, rest]
}

test('a cached response is the same whether its handler is synchronous or not', async () => {
  response = new CachedResponse({ success: true })
  const [now, later] = await Promise.all(
    [path, ROUTES.readWorkerTypes.path].map((each) => app.inject({ url: each })),
  )
  const { date: _date, ...headers } = now!.headers
  expect(later!.headers).toMatchObject(headers)
  expect(headers).toMatchObject({ etag: response.etag, 'cache-control': 'no-cache' })
})
