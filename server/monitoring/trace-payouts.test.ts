import { expect } from 'vitest'
import { openDb, sql } from '#server/platform/db/db.ts'
import type { Tracing } from '#server/platform/tracing/tracing.ts'
import { ANY_SIGNATURE } from '#tests/support/any-signature.ts'
import { clearMoney } from '#tests/support/money-situations.ts'
import { test } from '#tests/support/test-world.ts'
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

test('every withdrawal is traced once, also of many that were paid at one moment', async ({ world }) => {
  await clearMoney(world)
  const db = openDb(world.urlFor('watcher'), { max: 1, applicationName: 'test-watcher' })
  const traced: unknown[] = []
  const tracing: Tracing = {
    start({ name, attributes }) {
      if (name === 'withdrawal') traced.push(attributes?.['cotton.withdrawal.id'])
      return { traceparent: 'parent', end: () => undefined }
    },
    stop: async () => undefined,
  }
  const round = createPayoutTraceRound({ db, clock: world.clock, tracing })
  world.clock.advance(1_000)
  await world.db.rows(insertPaid, { at: world.clock.now(), count: COUNT })
  for (let rounds = 0; rounds < 4; rounds++) await round()
  expect(traced).toHaveLength(COUNT)
  expect(new Set(traced).size).toBe(COUNT)
  await db.end()
  await clearMoney(world)
})
