import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { freezeDate } from '#tests/support/freeze-date.ts'
import { createHttpServer } from './http-server.ts'
import { limitOf } from './rate-limits.ts'

test('a clock that is set back makes no window longer, and callers are limited as before', async () => {
  freezeDate()
  const settings = { publicUrl: 'http://farm.test', trustProxy: false, limited: true } as const
  const app = await createHttpServer(settings, pino({ level: 'silent' }))
  app.get('/limited', { config: { rateLimit: { ...limitOf('read'), max: 2 } } }, () => 'answered')
  const ask = async () => (await app.inject({ url: '/limited' })).statusCode
  const askThrice = async () => [await ask(), await ask(), await ask()]
  expect(await askThrice()).toEqual([200, 200, 429])
  vi.setSystemTime(Date.now() - 600_000)
  expect(await askThrice()).toEqual([200, 200, 429])
  await app.close()
})

test('a caller who changes the address within its IPv6 network is limited as one', async () => {
  freezeDate()
  const settings = { publicUrl: 'http://farm.test', trustProxy: false, limited: true } as const
  const app = await createHttpServer(settings, pino({ level: 'silent' }))
  app.get('/limited', { config: { rateLimit: { ...limitOf('read'), max: 2 } } }, () => 'answered')
  const askFrom = async (remoteAddress: string) =>
    (await app.inject({ url: '/limited', remoteAddress })).statusCode
  const addresses = ['2001:db8:1:2::5', '2001:db8:1:2:ffff::1', '2001:db8:1:2::6', '2001:db8:1:3::5']
  const statuses: number[] = []
  for (const address of addresses) statuses.push(await askFrom(address))
  expect(statuses).toEqual([200, 200, 429, 200])
  await app.close()
})
