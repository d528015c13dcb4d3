import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { baseUnits, cotton } from '#game/cotton.ts'
import { dailyBudget } from '#game/credit.ts'
import { readWorldBalances } from '#server/ledger/read-world-balances.ts'
import { dayOf } from '#server/withdrawals/reward-day.ts'
import { createPlayerWith, withdraw } from '#tests/support/chain-test-players.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { openTodaysBudget } from './reward-bounds.ts'

const world = setUpChainTestWorld()

test('a hold whose tokens another entry returns to the pool does not raise the budget of its day', async () => {
  await world.skipDays(1)
  const { pool } = await readWorldBalances(world.owner)
  const day = dayOf(world.clock.now())
  // A real one of the same day takes from the pool as it was.
  await withdraw(world, await createPlayerWith(world, { earned: 9_000 }), cotton(5_000))
  const [id, journal] = [randomUUID(), randomUUID()]
  const amount = cotton(1_000_000_000)
  await world.api.transaction(async (tx) => {
    await runQuery(
      tx,
      `insert into journals (id, wallet, kind, at, detail)
       values ($1, 'forger', 'withdrawal', now(), jsonb_build_object('withdrawalId', $2::text))`,
      [journal, id],
    )
    await runQuery(
      tx,
      `insert into entries (wallet, journal_id, line, account, amount)
       values ('forger', $1::uuid, 1, 'pool', -$2::bigint), ('another', $1::uuid, 2, 'pool', $2::bigint)`,
      [journal, amount],
    )
    await runQuery(
      tx,
      `insert into withdrawals (id, wallet, deposited, earned, hold_id, day, requested_at, nonce, wallet_signature)
       values ($1, 'forger', 0, $2, $3, $4, now(), md5('forged'), decode(repeat('00', 64), 'hex'))`,
      [id, amount, journal, day],
    )
  })
  expect((await readWorldBalances(world.owner)).pool).toBe(baseUnits(pool - cotton(5_000)))
  await openTodaysBudget(await world.newSigner())
  const bounds = await runQuery(world.owner, 'select budget from reward_bounds where day = $1::date', [day])
  expect(bounds).toEqual([{ budget: dailyBudget(pool) }])
})
