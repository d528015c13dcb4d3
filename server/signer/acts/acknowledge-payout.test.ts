import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Signature } from '#server/chain/port.ts'
import { readWorldBalances } from '#server/ledger/read-world-balances.ts'
import { fundPool } from '#tests/support/fund-pool.ts'
import { test } from '#tests/support/test-world.ts'
import { acknowledgePayout } from './acknowledge-payout.ts'
import type { UnowedPayout } from './find-unowed-payouts.ts'

test('the pool pays the open amount that was signed, no other, and only if it is free', async ({ world }) => {
  const payout: UnowedPayout = {
    signature: 'payout' as Signature,
    withdrawalId: randomUUID(),
    wallet: null,
    amount: cotton(5),
    state: null,
    restored: null,
  }
  const acknowledge = (signed: number): Promise<string> => {
    const of = { who: 'ana', now: world.clock.now(), why: 'It is lost.', pool: true, left: cotton(signed) }
    return world.db.transaction((tx) => acknowledgePayout(tx, payout, of))
  }
  await expect(acknowledge(5)).rejects.toThrow('The pool has only 0 $COTTON available, not 5.')
  await fundPool(world, 1_000)
  await expect(acknowledge(4)).rejects.toThrow('The open amount is 5 $COTTON, not 4.')
  expect((await readWorldBalances(world.db)).pool).toBe(cotton(1_000))
  expect(await acknowledge(5)).toBe(
    'Acknowledged: 5 $COTTON of 5 to no single wallet are paid from the pool.',
  )
  expect((await readWorldBalances(world.db)).pool).toBe(cotton(995))
})
