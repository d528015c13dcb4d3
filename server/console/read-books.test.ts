import { expect } from 'vitest'
import { openDb, sql } from '#server/platform/db/db.ts'
import { UNOWED_SETTING } from '#server/signer/acts/restored-payouts.ts'
import { clearMoney } from '#tests/support/money-situations.ts'
import { test } from '#tests/support/test-world.ts'
import { readBooks } from './read-books.ts'

const COUNT = 250

const reportUnowed = sql({
  name: 'test-report-unowed',
  params: { reported: 'text', at: 'timestamptz', count: 'integer' },
  text: ({ reported, at, count }) =>
    `insert into settings (name, value, at)
     select ${reported} || 'transaction' || n, '{"wallet": "wallet", "amount": "10000000"}', ${at}
     from generate_series(1, ${count}) n`,
})

test('an operator can sign to take back all payouts that a backup forgot, although not all are listed', async ({
  world,
}) => {
  await clearMoney(world)
  const db = openDb(world.urlFor('console'), { max: 2, applicationName: 'test-console' })
  const now = world.clock.now()
  await world.db.rows(reportUnowed, { reported: UNOWED_SETTING, at: now, count: COUNT })
  const { restored, takeBack } = await readBooks(db, now)
  expect(restored).toHaveLength(200)
  expect(takeBack).toEqual({ payouts: COUNT, amount: '2500' })
  await db.end()
  await clearMoney(world)
})
