import { expect } from 'vitest'
import { openDb, sql } from '#server/platform/db/db.ts'
import type { Tracing } from '#server/platform/tracing/tracing.ts'
import { ANY_SIGNATURE } from '#tests/support/any-signature.ts'
import { clearMoney } from '#tests/support/money-situations.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { createPayoutTraceRound } from './trace-payouts.ts'

const COUNT = 1_200

const insertPaid = sql({
  name: 'test-insert-paid',
  params: { at: 'timestamptz', count: 'integer' },
  text: ({ at, count }) =>
    `insert into withdrawals (id, wallet, deposited, earned, hold_id, state, day, requested_at, settled_at, paid_by,
       traceparent, nonce, wallet_signature)
     select gen_random_uuid(), 'wallet', 1000000, 0, gen_random_uuid(), 'finalized', '2026-01-05', ${at}, ${at}, 'signature',
       '00-' || md5(n::text) || '-' || left(md5(n::text), 16) || '-01', ${ANY_SIGNATURE}
     from generate_series(1, ${count}) n`,
})

/** A round with the watcher's login, and the ids of the withdrawals that it has traced. */
function openRound({ clock, urlFor }: TestWorld) {
  const db = openDb(urlFor('watcher'), { max: 1, applicationName: 'test-watcher' })
  const traced: unknown[] = []
  const tracing: Tracing = {
    start({ name, attributes }) {
      if (name === 'withdrawal') traced.push(attributes?.['cotton.withdrawal.id'])
      return { traceparent: 'parent', end: () => undefined }
    },
    stop: async () => undefined,
  }
  return { round: createPayoutTraceRound({ db, clock, tracing }), traced, end: () => db.end() }
}

test('every withdrawal is traced once, also of many that were paid at one moment', async ({ world }) => {
  await clearMoney(world)
  const { round, traced, end } = openRound(world)
  world.clock.advance(1_000)
  await world.db.rows(insertPaid, { at: world.clock.now(), count: COUNT })
  for (let rounds = 0; rounds < 4; rounds++) await round()
  expect(traced).toHaveLength(COUNT)
  expect(new Set(traced).size).toBe(COUNT)
  await end()
  await clearMoney(world)
})

test('a withdrawal that was settled by a clock that was ahead hides no other one', async ({ world }) => {
  await clearMoney(world)
  const { round, traced, end } = openRound(world)
  const pay = (afterMs: number) =>
    world.db.rows(insertPaid, { at: new Date(world.clock.now().getTime() + afterMs), count: 1 })
  await pay(24 * 3_600_000)
  await round()
  await pay(1_000)
  for (let rounds = 0; rounds < 2; rounds++) await round()
  expect(new Set(traced).size).toBe(2)
  expect(traced).toHaveLength(2)
  await end()
  await clearMoney(world)
})

test('withdrawals are traced after the own clock was ahead and was set back', async ({ world }) => {
  await clearMoney(world)
  const { clock, db } = world
  const started = clock.now()
  clock.advance(24 * 3_600_000)
  const { round, traced, end } = openRound(world)
  const pay = () => db.rows(insertPaid, { at: new Date(clock.now().getTime() + 1_000), count: 1 })
  await pay()
  clock.advance(120_000)
  await round()
  expect(traced).toHaveLength(1)
  clock.set(started.toISOString())
  await round()
  await pay()
  await round()
  expect(new Set(traced).size).toBe(2)
  await end()
  await clearMoney(world)
})
