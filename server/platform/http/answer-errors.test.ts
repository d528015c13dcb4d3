import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { createHttpServer } from './http-server.ts'

test('an outage is logged once a second, however many requests it fails, and a bug each time', async () => {
  const logged: { err: { message: string }; omitted?: number }[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const app = await createHttpServer(
    { publicUrl: 'http://farm.test', trustProxy: false, limited: false },
    log,
  )
  app.get('/lost', () => {
    throw Object.assign(new Error('the database is gone'), { code: 'ECONNREFUSED' })
  })
  app.get('/bug', () => {
    throw new Error('a bug')
  })
  const ask = async (url: string, times: number) => {
    const statuses = new Set<number>()
    for (let each = 0; each < times; each++) statuses.add((await app.inject({ url })).statusCode)
    return [...statuses]
  }
  const now = vi.spyOn(performance, 'now').mockReturnValue(5_000)
  expect(await ask('/lost', 20)).toEqual([503])
  expect(await ask('/bug', 2)).toEqual([500])
  now.mockReturnValue(6_000)
  expect(await ask('/lost', 3)).toEqual([503])
  now.mockRestore()
  await app.close()
  expect(logged.map(({ err, omitted }) => [err.message, omitted])).toEqual([
    ['the database is gone', undefined],
    ['a bug', undefined],
    ['a bug', undefined],
    ['the database is gone', 19],
  ])
})

test('the answer to an error of the server does not say what it was, and has the headers of data', async () => {
  const app = await createHttpServer(
    { publicUrl: 'http://farm.test', trustProxy: false, limited: false },
    pino({ level: 'silent' }),
  )
  const fail = (code: string) => () => {
    throw Object.assign(new Error('insert into hidden failed'), { code, detail: 'hidden' })
  }
  app.get('/api/bug', fail('23505'))
  app.get('/api/lost', fail('ECONNREFUSED'))
  for (const [url, code] of [
    ['/api/bug', 'unexpected'],
    ['/api/lost', 'busy'],
  ] as const) {
    const { body, headers } = await app.inject({ url })
    const answered = JSON.parse(body) as { code: string }
    expect([answered.code, Object.keys(answered)]).toEqual([code, ['success', 'code', 'message']])
    expect(body).not.toContain('hidden')
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    })
  }
  await app.close()
})
