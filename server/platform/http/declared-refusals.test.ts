import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { purchaseWorker } from '#contract/workers.ts'
import { ROUTES } from '#contract/routes.ts'
import { type AnswerOf, granted, refuse, refused } from '#server/platform/answer.ts'
import { declaredRefusals } from './declared-refusals.ts'
import { createHttpServer } from './http-server.ts'
import { createServe } from './serve.ts'

test('an action cannot be compiled with a code or a reply that its route does not declare', () => {
  const answers: AnswerOf<typeof purchaseWorker>[] = [
    refused('sold_out'),
    refused('key_reused'),
    // @ts-expect-error: hiring does not declare this code.
    refused('listing_gone'),
    // @ts-expect-error: hiring replies with a worker too.
    granted({ success: true as const, message: '', newBalance: 0 }),
  ]
  expect(answers).toHaveLength(4)
})

test('a declared code is sent; an undeclared one is a bug, logged with its route and sent as unexpected', async () => {
  const lines: string[] = []
  const log = pino(
    { level: 'error' },
    new Writable({
      write(line, _encoding, done) {
        lines.push(String(line))
        done()
      },
    }),
  )
  const app = await createHttpServer(
    { publicUrl: 'http://farm.test', trustProxy: false, limited: false },
    log,
  )
  const serve = createServe(app, { authenticate: () => Promise.reject(new Error()), limited: false })
  serve(ROUTES.readParcelSales, async ({ query }) => refuse(query.before ? 'sold_out' : 'parcel_not_found'))

  const declared = await app.inject({ url: '/api/parcels/EU-FR/sales' })
  expect([declared.statusCode, declared.json().code]).toEqual([404, 'parcel_not_found'])
  expect(lines).toEqual([])

  const before = '0198a000-0000-7000-8000-000000000000'
  const undeclared = await app.inject({ url: `/api/parcels/EU-FR/sales?before=${before}` })
  expect([undeclared.statusCode, undeclared.json().code]).toEqual([500, 'unexpected'])
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      path: '/api/parcels/:parcelId/sales',
      msg: 'a route refused with a code that it does not declare',
      err: expect.objectContaining({ message: 'sold_out' }),
    }),
  ])
})

test('a call may be refused with the codes that its declaration implies, and no route lists those itself', () => {
  expect([...declaredRefusals(ROUTES.claimAllWorkers)].toSorted()).toEqual([
    'busy',
    'foreign_origin',
    'key_malformed',
    'key_reused',
    'malformed',
    'not_authenticated',
    'nothing_to_claim',
    'tokens_disagree',
    'too_large',
    'too_many_requests',
    'unexpected',
    'unknown_outcome',
    'wallet_frozen',
    'wrong_media_type',
  ])
  expect([...declaredRefusals(ROUTES.readSite)].toSorted()).toEqual([
    'busy',
    'foreign_origin',
    'too_many_requests',
    'unexpected',
  ])
})
