import { expect } from 'vitest'
import { readDeposits } from '#contract/deposits.ts'
import { openDb, sql } from '#server/platform/db/db.ts'
import { test } from '#tests/support/test-world.ts'
import { readUncredited } from './read-uncredited.ts'

// Three receipts per signature, and `$3` per instant.
const addReceipts = sql({
  name: 'test-add-uncredited',
  params: { wallet: 'text', count: 'integer', perInstant: 'integer' },
  text: ({ wallet, count, perInstant }) =>
    `insert into receipts (signature, token_account, wallet, asset, mint, amount, slot, state, why, seen_at)
     select rpad(translate((n / 3)::text, '0', 'A') || 'x', 88, '1'), rpad(translate((n % 3 / 2)::text, '0', 'A') || 'x', 44, '1'),
       ${wallet}, case n % 3 when 1 then 'sol' else 'other_token' end, null, n, 1,
       case when n % 5 = 0 then 'pending' else 'unclaimed' end, case when n % 5 = 0 then null else 'sol' end,
       '2026-01-05T12:00:00Z'::timestamptz - n / ${perInstant} * interval '1 microsecond'
     from generate_series(1, ${count}) n`,
})

const deleteReceipts = sql({ name: 'test-delete-uncredited', text: 'delete from receipts' })

for (const perInstant of [1, 70, 1_000]) {
  test(`the pages of uncredited deposits skip and repeat nothing, with ${perInstant} per instant`, async ({
    world,
  }) => {
    const db = openDb(world.urlFor('api'), { max: 1, applicationName: 'test' })
    const wallet = `wallet ${perInstant}`
    await world.db.rows(deleteReceipts)
    await world.db.rows(addReceipts, { wallet, count: 450, perInstant })
    const pages = []
    for (let before: string | null | undefined; before !== null;) {
      if (before !== undefined) expect(readDeposits.query!.parse({ before })).toEqual({ before })
      const page = await readUncredited(db, wallet, before)
      pages.push(page.items)
      before = page.next
    }
    expect(pages.map((items) => items.length)).toEqual([100, 100, 100, 100, 50])
    const amounts = pages.flat().map((item) => Number(item.amount))
    expect(amounts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 450 }, (_, at) => at + 1))
    const instants = amounts.map((n) => Math.trunc(n / perInstant))
    expect(instants).toEqual(instants.toSorted((a, b) => a - b))
    const last = `${pages[0]!.at(-1)!.signature}.${'z'.repeat(44)}.sol`
    expect(await readUncredited(db, wallet, last)).toEqual({ items: [], next: null })
    await db.end()
  })
}

test('the receipt of another player is not accepted as a cursor', async ({ world }) => {
  await world.db.rows(deleteReceipts)
  await world.db.rows(addReceipts, { wallet: 'ana', count: 101, perInstant: 1 })
  const { next } = await readUncredited(world.db, 'ana')
  expect(next).not.toBeNull()
  await world.db.rows(
    sql({ name: 'test-give-away', text: `update receipts set wallet = 'bob' where amount = 100` }),
  )
  expect(await readUncredited(world.db, 'ana', next!)).toEqual({ items: [], next: null })
})
