import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { replyOf } from '#server/platform/answer.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { call, logIn, serveApp } from '#tests/support/serve-app.ts'
import { test } from '#tests/support/test-world.ts'
import { hire } from './hire.ts'

let app: FastifyInstance
test.beforeAll(async ({ world }) => {
  app = await serveApp(world)
})

const readDetails = sql({
  name: 'test-read-details',
  params: { wallet: 'text' },
  row: rowOf<{ kind: string; detail: object }>(),
  text: ({ wallet }) =>
    `select kind, detail from journals where wallet = ${wallet} and kind in ('hire', 'claim') order by id`,
})

test('a hire through the API shows in the types and in the supply', async ({ world }) => {
  const player = await world.player({ deposited: 50_000 })
  const token = await logIn(app, player)
  const body = { workerType: 'kid', walletAddress: player.wallet }
  const before = (await call(app, 'GET', '/api/workers/supply')).body
  expect(before.kid).toMatchObject({ sold: 0, available: 10_000, maxSupply: 10_000, progress: 0 })

  const hired = await call(app, 'POST', '/api/workers/purchase', { token, body })
  expect(hired.body).toEqual({
    success: true,
    worker: { workerId: 'kid-0001', workerType: 'kid' },
    message: 'Successfully purchased kid-0001!',
    newBalance: 0,
  })
  const after = (await call(app, 'GET', '/api/workers/supply')).body
  expect(after.kid).toMatchObject({ sold: 1, available: 9_999, progress: 0.01 })
  expect((await call(app, 'GET', '/api/workers/types')).body).toEqual({ success: true, workerTypes: after })
  expect(await world.db.rows(readDetails, player)).toEqual([
    { kind: 'hire', detail: { workerId: 'kid-0001' } },
  ])
})

test('one worker, those of a type, and all are claimed through the API', async ({ world }) => {
  const player = await world.player({ deposited: 200_000 })
  const token = await logIn(app, player)
  const ids = []
  for (const type of ['kid', 'kid', 'grandma'] as const) {
    ids.push(await world.hire(player, type))
    world.clock.advance(1)
  }
  const claim = async (url: string, body: object) =>
    (await call(app, 'POST', `/api/workers/${url}`, { token, body })).body
  const owned = async () =>
    (await call(app, 'GET', '/api/workers/owned', { token })).body as {
      workers: { unclaimedTokens: number }[]
      next: null
    }

  world.clock.advance(3_600_000)
  const { workers, next } = await owned()
  expect([workers.map((each) => each.unclaimedTokens), next]).toEqual([[5_000, 5_000, 13_000], null])
  expect(await claim('claim', { workerId: ids[0] })).toEqual({
    success: true,
    claimedAmount: 5_000,
    newBalance: 5_000,
  })
  expect(await claim('claim-all', { workerType: 'kid' })).toMatchObject({
    claimedAmount: 5_000,
    claimedWorkers: 1,
  })
  world.clock.advance(3_600_000)
  expect(await claim('claim-all', {})).toEqual({
    success: true,
    claimedAmount: 36_000,
    claimedWorkers: 3,
    newBalance: 46_000,
  })
  const details = (await world.db.rows(readDetails, player)).filter(({ kind }) => kind === 'claim')
  expect(details.map(({ detail }) => detail)).toEqual([
    { workerId: ids[0] },
    { workers: 1, workerType: 'kid' },
    { workers: 3 },
  ])
  expect((await owned()).workers.map((each) => each.unclaimedTokens)).toEqual([0, 0, 0])
})

test('a page has 1,000 workers, and the next begins after its last', async ({ world }) => {
  const player = await world.player({ deposited: 1_001 * 50_000 })
  const token = await logIn(app, player)
  const request = { wallet: player.wallet, workerType: 'kid' as const, key: null }
  const answers = await world.db.transaction((tx) =>
    hire(
      tx,
      Array.from({ length: 1_001 }, () => ({ ...request })),
      world.clock,
    ),
  )
  const ids = answers.map((answer) => replyOf(answer).worker.workerId)
  const page = async (query: string) => {
    const { body } = await call(app, 'GET', `/api/workers/owned${query}`, { token })
    return { ids: (body.workers as { workerId: string }[]).map((each) => each.workerId), next: body.next }
  }
  const first = await page('')
  expect([first.ids.length, first.next]).toEqual([1_000, first.ids.at(-1)])
  const second = await page(`?after=${String(first.next)}`)
  expect(second).toEqual({ ids: [expect.any(String)], next: null })
  expect([...first.ids, ...second.ids].toSorted()).toEqual(ids.toSorted())
})
