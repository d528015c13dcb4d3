import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { PARCELS } from '#game/world.ts'
import type { ActionRequest } from '#server/actions/run-once.ts'
import { buyListings } from '#server/market/buy-listings.ts'
import { listParcels } from '#server/market/list-parcels.ts'
import { createMarket } from '#server/market/market-mode.ts'
import { celebrate } from '#server/milestones/celebrate.ts'
import { buyParcels } from '#server/parcels/buy-parcels.ts'
import { type Answer, replyOf } from '#server/platform/answer.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'
import { claim, claimAll } from '#server/workers/claim.ts'
import { hire } from '#server/workers/hire.ts'
import { type StatementLog, countStatements, countDbStatements } from '#tests/support/count-statements.ts'
import { call, logIn, serveApp } from '#tests/support/serve-app.ts'
import type { TestPlayer } from '#tests/support/test-player.ts'
import { keyFor, test, type TestWorld } from '#tests/support/test-world.ts'

const MANY = 40

type Act<Q> = (tx: Tx, requests: readonly Q[]) => Promise<Answer<unknown>[]>

/** Runs all requests in one batch, each with its own key. Returns the statements and round trips. */
async function countBatch<Q extends ActionRequest>(
  world: TestWorld,
  act: Act<Q>,
  requests: readonly Omit<Q, 'key'>[],
) {
  const log: StatementLog = { names: [], roundTrips: 0 }
  const keyed = requests.map(
    (request) => ({ ...request, key: keyFor('/test', crypto.randomUUID(), {}) }) as unknown as Q,
  )
  const answers = await world.db.transaction((tx) => act(countStatements(tx, log), keyed))
  for (const answer of answers) replyOf(answer)
  return { statements: log.names.length, roundTrips: log.roundTrips }
}

const createRichPlayers = (world: TestWorld, count: number): Promise<TestPlayer[]> =>
  Promise.all(Array.from({ length: count }, () => world.player({ deposited: 100_000_000 })))

test('a batch of any number of claims is six statements in two round trips', async ({ world }) => {
  const players = await createRichPlayers(world, MANY)
  const asks: { wallet: string; workerId: string }[] = []
  for (const player of players)
    asks.push({ wallet: player.wallet, workerId: await world.hire(player, 'kid') })
  world.clock.advance(3_600_000)
  const act: Act<Parameters<typeof claim>[1][number]> = (tx, requests) => claim(tx, requests, world.clock)
  expect(await countBatch(world, act, asks.slice(0, 1))).toEqual({ statements: 6, roundTrips: 2 })
  expect(await countBatch(world, act, asks.slice(1))).toEqual({ statements: 6, roundTrips: 2 })
})

test('a batch of hires is seven statements in two round trips', async ({ world }) => {
  const asks = (await createRichPlayers(world, MANY)).map(({ wallet }) => ({
    wallet,
    workerType: 'kid' as const,
  }))
  const act: Act<Parameters<typeof hire>[1][number]> = (tx, requests) => hire(tx, requests, world.clock)
  expect(await countBatch(world, act, asks.slice(0, 1))).toEqual({ statements: 7, roundTrips: 2 })
  expect(await countBatch(world, act, asks.slice(1))).toEqual({ statements: 7, roundTrips: 2 })
})

test('a batch of parcels is eight statements in two round trips; of resales eleven in three', async ({
  world,
}) => {
  const land = PARCELS.filter((parcel) => parcel.regionId === 'AF').slice(0, MANY)
  const [seller, ...buyers] = (await createRichPlayers(world, MANY + 1)) as [TestPlayer, ...TestPlayer[]]
  const asks = land.map(({ parcelId }) => ({ wallet: seller.wallet, parcelId, expectedPrice: null }))
  const buy: Act<Parameters<typeof buyParcels>[1][number]> = (tx, requests) =>
    buyParcels(tx, requests, world.clock)
  expect(await countBatch(world, buy, asks.slice(0, 1))).toEqual({ statements: 8, roundTrips: 2 })
  expect(await countBatch(world, buy, asks.slice(1))).toEqual({ statements: 8, roundTrips: 2 })

  const deps = { clock: world.clock, market: createMarket('open') }
  const offers = land.map(({ parcelId }) => ({
    wallet: seller.wallet,
    parcelId,
    price: cotton(100),
    key: null,
  }))
  const offered = await world.db.transaction((tx) => listParcels(tx, offers, deps))
  const wishes = offered.map((answer, at) => ({
    wallet: buyers[at]!.wallet,
    listingId: replyOf(answer).listing.id,
    expectedPrice: null,
  }))
  const resell: Act<Parameters<typeof buyListings>[1][number]> = (tx, requests) =>
    buyListings(tx, requests, deps)
  expect(await countBatch(world, resell, wishes.slice(0, 1))).toEqual({ statements: 11, roundTrips: 3 })
  expect(await countBatch(world, resell, wishes.slice(1))).toEqual({ statements: 11, roundTrips: 3 })
})

test('a batch of celebrations is eight statements in three round trips', async ({ world }) => {
  const players = await createRichPlayers(world, MANY)
  for (const player of players) await world.hire(player, 'kid')
  const asks = players.map(({ wallet }) => ({ wallet }))
  const act: Act<ActionRequest> = (tx, requests) => celebrate(tx, requests, world.clock)
  expect(await countBatch(world, act, asks.slice(0, 1))).toEqual({ statements: 8, roundTrips: 3 })
  expect(await countBatch(world, act, asks.slice(1))).toEqual({ statements: 8, roundTrips: 3 })
})

const hireCrowd = sql({
  name: 'test-hire-crowd',
  params: { wallet: 'text', now: 'timestamptz', workers: 'integer' },
  text: ({ wallet, now, workers }) =>
    `with hired as (
       insert into workers (wallet, worker_id, worker_type, rate_per_hour, since, purchased_at)
       select ${wallet}, 'grandma-' || lpad((5000 + i)::text, 5, '0'), 'grandma', 13000, ${now}, ${now} from generate_series(1, ${workers}) as i
     )
     update worker_types set max_supply = max_supply + ${workers}, sold = sold + ${workers} where worker_type = 'grandma'`,
})

test('claiming ten thousand workers takes one paying statement and one journal', async ({ world }) => {
  const [player] = (await createRichPlayers(world, 1)) as [TestPlayer]
  const workers = 10_000
  await world.db.rows(hireCrowd, { wallet: player.wallet, now: world.clock.now(), workers })
  world.clock.advance(3_600_000)
  const log: StatementLog = { names: [], roundTrips: 0 }
  const request = { wallet: player.wallet, workerType: null, key: keyFor('/test', 'ten-thousand', {}) }
  const [answer] = await world.db.transaction((tx) =>
    claimAll(countStatements(tx, log), [request], world.clock),
  )
  expect(replyOf(answer!)).toMatchObject({ claimedWorkers: workers, claimedAmount: 130_000_000 })
  expect(log.names.filter((name) => name === 'claim-update-claimed')).toHaveLength(1)
  expect({ statements: log.names.length, roundTrips: log.roundTrips }).toEqual({
    statements: 6,
    roundTrips: 2,
  })
})

test('public reads need no statement, and a player’s reads one or two', async ({ world }) => {
  const log: StatementLog = { names: [], roundTrips: 0 }
  const app = await serveApp({ ...world, db: countDbStatements(world.db, log) })
  const token = await logIn(app, await world.player())
  const statementsOf = async (url: string, as?: string) => {
    await call(app, 'GET', url, { token: as })
    const from = log.names.length
    const { status } = await call(app, 'GET', url, { token: as })
    expect([url, status]).toEqual([url, 200])
    return log.names.length - from
  }
  const shared = [
    '/api/workers/types',
    '/api/workers/supply',
    '/api/continent-stats',
    '/api/continent-price/EU',
    '/api/parcels?regionId=EU',
    '/api/marketplace/listings',
  ]
  for (const url of shared) expect([url, await statementsOf(url)]).toEqual([url, 0])
  expect(await statementsOf('/api/workers/owned', token)).toBe(1)
  expect(await statementsOf('/api/users/history', token)).toBe(2)
  await app.close()
})
