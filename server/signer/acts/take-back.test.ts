import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Signature } from '#server/chain/port.ts'
import { readWorldBalances } from '#server/ledger/read-world-balances.ts'
import { fundPool } from '#tests/support/fund-pool.ts'
import { test } from '#tests/support/test-world.ts'
import type { UnowedPayout } from './find-unowed-payouts.ts'
import { takeBack } from './take-back.ts'

test('earned credit is taken back only as far as the free part of the pool covers all payouts together', async ({
  world,
}) => {
  await fundPool(world, 1_000)
  const players = [await world.player({ earned: 600 }), await world.player({ earned: 600 })]
  const payouts = players.map(({ wallet }, at): UnowedPayout => ({
    signature: `payout ${at}` as Signature,
    withdrawalId: randomUUID(),
    wallet,
    amount: cotton(600),
    state: null,
    restored: null,
  }))
  const unread = new Set<string>()
  const of = { who: 'ana', now: world.clock.now(), reason: 'They were paid before a restore.', unread }
  expect(await world.db.transaction((tx) => takeBack(tx, payouts, of))).toBe(
    'Took back 990 of 1,200 $COTTON in 2 payouts: 210 $COTTON remain as debt.',
  )
  expect(await Promise.all(players.map((player) => world.balance(player)))).toEqual([0n, cotton(210)])
  // One percent of the pool is the budget of the day.
  expect((await readWorldBalances(world.db)).pool).toBe(cotton(10))
})
