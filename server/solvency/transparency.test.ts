import type { FastifyInstance } from 'fastify'
import { expect } from 'vitest'
import { readTransparency as route } from '#contract/transparency.ts'
import { cotton } from '#game/cotton.ts'
import { holdEntries } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { openDb, rowOf, sql } from '#server/platform/db/db.ts'
import { dayOf } from '#server/withdrawals/reward-day.ts'
import { pauseWithdrawals, resumeWithdrawals } from '#server/withdrawals/withdrawal-pause.ts'
import { claim } from '#server/workers/claim.ts'
import { fundPool } from '#tests/support/fund-pool.ts'
import { interceptDb } from '#tests/support/intercept-statements.ts'
import { addWithdrawal } from '#tests/support/money-situations.ts'
import { call, serveApp } from '#tests/support/serve-app.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { storeSnapshot, type ReserveSnapshot } from './reserve-snapshot.ts'
import { recordCreditSupply } from './record-credit-supply.ts'
import { readCreditSupply } from './read-credit-supply.ts'
import { readTransparency, type Transparency } from './read-transparency.ts'
import { ANY_SIGNATURE } from '#tests/support/any-signature.ts'

const read = ({ db, clock }: TestWorld): Promise<Transparency> => readTransparency(db, clock.now())

const sumBurned = sql({
  name: 'test-burned',
  row: rowOf<{ burned: bigint }>(),
  text: `select coalesce(sum(amount), 0)::bigint as burned from entries where account = 'burned'`,
})
const sumSpent = sql({
  name: 'test-spent',
  row: rowOf<{ spent: bigint }>(),
  text: `select coalesce(sum(e.amount), 0)::bigint as spent from entries e join journals j on j.id = e.journal_id
   where e.account = 'pool' and j.kind in ('hire', 'parcel', 'resale')`,
})

const covered = ({ clock }: TestWorld): ReserveSnapshot => ({
  at: clock.now(),
  slot: 77n,
  tookMs: 12,
  treasury: cotton(700),
  cold: cotton(200),
  coldWallets: ['So11111111111111111111111111111111111111112'],
  depositAccounts: cotton(100),
  inFlight: cotton(5),
  deposited: cotton(600),
  pool: cotton(400),
  held: cotton(3),
  creditedAhead: cotton(3),
  surplus: cotton(5),
  shortSince: null,
  confirmed: false,
})

test('in a new game every figure is zero and there is no reserve snapshot', async ({ world }) => {
  expect(await read(world)).toEqual({
    supply: { deposited: 0, earned: 0, pool: 0, held: 0 },
    flows: {
      emitted: { total: 0, lastDay: 0 },
      burned: { total: 0, lastDay: 0 },
      spent: { total: 0, lastDay: 0 },
    },
    reserve: null,
    budget: { total: 0, used: 0, left: 0, perWallet: 0, resetsAt: '2026-01-06T00:00:00.000Z' },
    queue: [],
    pause: null,
  })
})

test('supply and flows match the ledger, and the last day excludes what is older', async ({ world }) => {
  const { db, clock } = world
  await fundPool(world, 50_000)
  const ana = await world.player({ deposited: 120_000 })
  const kid = await world.hire(ana, 'kid')
  clock.advance(3_600_000)
  await db.transaction((tx) => claim(tx, [{ wallet: ana.wallet, workerId: kid, key: null }], clock))
  await world.hire(ana, 'kid')
  const { deposited, earned } = await world.credit(ana)
  const supply = await readCreditSupply(db)
  expect(supply).toMatchObject({ deposited, earned, emitted: cotton(5_000) })
  expect(supply.burned).toBe((await db.rows(sumBurned))[0]!.burned)
  expect(supply.spent).toBe((await db.rows(sumSpent))[0]!.spent)
  expect(supply.pool).toBe(cotton(50_000) + supply.spent)
  await recordCreditSupply(world)
  // The second picker was paid with the 5,000 earned, which were burned, and 45,000 deposited.
  const flowsWith = (lastDay: (total: number) => number) => {
    const totals = { emitted: 5_000, burned: 5_000, spent: 95_000 }
    return Object.fromEntries(
      Object.entries(totals).map(([name, total]) => [name, { total, lastDay: lastDay(total) }]),
    )
  }
  expect((await read(world)).flows).toEqual(flowsWith((total) => total))
  clock.advance(24 * 3_600_000 - 1)
  expect((await read(world)).flows).toEqual(flowsWith((total) => total))
  clock.advance(1)
  expect((await read(world)).flows).toEqual(flowsWith(() => 0))
  await db.transaction((tx) => claim(tx, [{ wallet: ana.wallet, workerId: kid, key: null }], clock))
  expect((await read(world)).flows.emitted).toEqual({ total: 125_000, lastDay: 120_000 })
})

test('the totals are recorded once every ten minutes', async ({ world }) => {
  const count = async () =>
    (
      await world.db.rows(
        sql({
          name: 'test-count-supply',
          row: rowOf<{ count: bigint }>(),
          text: 'select count(*) from supply_history',
        }),
      )
    )[0]!.count
  world.clock.advance(3_600_000)
  await recordCreditSupply(world)
  const before = await count()
  world.clock.advance(599_999)
  await recordCreditSupply(world)
  expect(await count()).toBe(before)
  world.clock.advance(1)
  await recordCreditSupply(world)
  expect(await count()).toBe(before + 1n)
})

test('the totals are recorded on after a clock that was ahead has been set back', async ({ world }) => {
  const { db, clock } = world
  const ana = await world.player({ deposited: 50_000 })
  const kid = await world.hire(ana, 'kid')
  await recordCreditSupply(world)
  clock.advance(25 * 24 * 3_600_000)
  await recordCreditSupply(world)
  clock.advance(-24 * 24 * 3_600_000)
  await db.transaction((tx) => claim(tx, [{ wallet: ana.wallet, workerId: kid, key: null }], clock))
  await recordCreditSupply(world)
  clock.advance(24 * 3_600_000)
  expect((await read(world)).flows.emitted.lastDay).toBe(0)
})

test('the queue lists each state that players know, and the budget shows what is left of today', async ({
  world,
}) => {
  const { db, clock } = world
  const { wallet } = await world.player({ deposited: 1_000 })
  const ids = ['requested', 'approved', 'review', 'sent', 'refunded'].map((state, at) => ({
    id: `00000000-0000-4000-8000-00000000000${at}`,
    state,
  }))
  const held: string[] = []
  await db.transaction(async (tx) => {
    const ledger = await openLedger(tx, [wallet])
    for (const { id } of ids) {
      const entries = holdEntries(wallet, { deposited: cotton(10), earned: cotton(0) })
      held.push(
        ledger.post({ wallet, kind: 'withdrawal', at: clock.now(), detail: { withdrawalId: id }, entries }),
      )
    }
    ledger.write()
  })
  const add = sql({
    name: 'test-add-withdrawal',
    params: {
      id: 'uuid',
      wallet: 'text',
      journalId: 'uuid',
      state: 'text',
      day: 'date',
      requestedAt: 'timestamptz',
    },
    text: ({ id, wallet, journalId, state, day, requestedAt }) =>
      `insert into withdrawals (id, wallet, deposited, earned, hold_id, state, day, requested_at, nonce, wallet_signature)
       values (${id}, ${wallet}, 10000000, 0, ${journalId}, ${state}, ${day}, ${requestedAt}, ${ANY_SIGNATURE})`,
  })
  for (const [at, { id, state }] of ids.entries()) {
    await db.rows(add, {
      id,
      wallet,
      journalId: held[at]!,
      state,
      day: dayOf(clock.now()),
      requestedAt: new Date(clock.now().getTime() - at * 1_000),
    })
  }
  await db.rows(
    sql({
      name: 'test-add-day',
      params: { day: 'date' },
      text: ({ day }) => `insert into reward_days (day, budget, spent) values (${day}, 9000000, 4000000)`,
    }),
    { day: dayOf(clock.now()) },
  )
  const { queue, budget } = await read(world)
  const oldest = (secondsAgo: number) => new Date(clock.now().getTime() - secondsAgo * 1_000).toISOString()
  expect(queue).toEqual([
    { state: 'requested', count: 2, amount: 20, oldest: oldest(1) },
    { state: 'review', count: 1, amount: 10, oldest: oldest(2) },
    { state: 'sent', count: 1, amount: 10, oldest: oldest(3) },
  ])
  expect(budget).toMatchObject({ total: 9, used: 4, left: 5, perWallet: 0.18 })
})

test('the reserve shows the last snapshot, and is unseen once that is too old', async ({ world }) => {
  const snapshot = covered(world)
  await storeSnapshot(world.db, { snapshot, last: null })
  expect((await read(world)).reserve).toEqual({
    standing: 'covered',
    at: world.clock.now().toISOString(),
    slot: 77,
    treasury: 700,
    cold: 200,
    coldWallets: ['So11111111111111111111111111111111111111112'],
    depositAccounts: 100,
    inFlight: 5,
    tokens: 1_005,
    owed: 1_000,
  })
  world.clock.advance(60_121)
  expect((await read(world)).reserve!.standing).toBe('unseen')
  const short = { surplus: cotton(-895), shortSince: world.clock.now(), confirmed: true }
  await storeSnapshot(world.db, {
    snapshot: { ...covered(world), treasury: 0n, cold: 0n, ...short },
    last: snapshot,
  })
  expect((await read(world)).reserve!.standing).toBe('short')
})

test('anybody can read it with the api’s rights, and an unchanged response is a 304', async ({ world }) => {
  const db = openDb(world.urlFor('api'), { max: 2, applicationName: 'test-api' })
  const app: FastifyInstance = await serveApp({ ...world, db })
  const first = await call(app, 'GET', '/api/transparency')
  expect(first.status).toBe(200)
  expect(route.reply.parse(first.body)).toEqual(first.body)
  const headers = { 'if-none-match': String(first.headers.etag) }
  expect((await app.inject({ url: '/api/transparency', headers })).statusCode).toBe(304)
  await pauseWithdrawals(world.db, { why: 'A check.', now: world.clock.now() })
  expect((await call(app, 'GET', '/api/transparency')).body.pause).toBeNull()
  world.clock.advance(3_000)
  const paused = await call(app, 'GET', '/api/transparency', { headers })
  expect(paused.body.pause).toEqual({ reason: 'A check.', since: expect.any(String) })
  await resumeWithdrawals(world.db)
  await app.close()
  await db.end()
})

test('figures that could not be read are read again for the next request', async ({ world }) => {
  let isLost = false
  const db = interceptDb(world.db, (_statement, run) =>
    isLost ? Promise.reject(new Error('no database')) : run(),
  )
  const app: FastifyInstance = await serveApp({ ...world, db })
  isLost = true
  expect((await call(app, 'GET', '/api/transparency')).status).toBe(500)
  isLost = false
  expect((await call(app, 'GET', '/api/transparency')).status).toBe(200)
  await app.close()
})

test('the totals exceed a bigint, and what the last day added stays exact', async ({ world }) => {
  const { clock } = world
  const recordThenWaitADay = async () => {
    clock.advance(3_600_000)
    await recordCreditSupply(world)
    clock.advance(24 * 3_600_000)
  }
  // In base units two thirds of the largest bigint.
  const earned = 6_000_000_000_000
  await world.player({ earned })
  await recordThenWaitADay()
  await world.player({ earned })
  const { supply, flows } = await read(world)
  expect(supply.earned).toBeGreaterThanOrEqual(2 * earned)
  expect(flows.emitted.total).toBeGreaterThanOrEqual(2 * earned)
  expect(flows.emitted.lastDay).toBe(earned)
  await recordThenWaitADay()
  await world.player({ earned: 5_000 })
  expect((await read(world)).flows.emitted.lastDay).toBe(5_000)
})

test('the figures are of one moment, whatever is requested while they are read', async ({ world }) => {
  const db = interceptDb(world.db, async ({ name }, run) => {
    if (name === 'transparency-read-queue') await addWithdrawal(world, 'review')
    return run()
  })
  const app: FastifyInstance = await serveApp({ ...world, db })
  const { body } = await call(app, 'GET', '/api/transparency')
  const countIn = (states: Transparency['queue']): number =>
    states.find(({ state }) => state === 'review')?.count ?? 0
  expect(countIn((await read(world)).queue)).toBe(countIn(body.queue as Transparency['queue']) + 1)
  await app.close()
})
