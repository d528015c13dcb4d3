import { expect } from 'vitest'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { test } from '#tests/support/test-world.ts'
import { listDeposits } from './list-deposits.ts'

const LONG_MINT = `insert into receipts (signature, token_account, asset, mint, amount, slot, state, why, seen_at)
  values ('long', 'long', 'other_token', repeat('m', 1000000), 7, 1, 'unclaimed', 'other_token', '2026-01-05')`

test('a mint of any length that a login has stored is listed as long as an address', async ({ world }) => {
  await runQuery(world.db, LONG_MINT)
  const { items } = await listDeposits(world.db, { view: 'unassigned' })
  expect(items.map(({ signature, mint }) => [signature, mint])).toEqual([['long', 'm'.repeat(44)]])
})
