import { expect } from 'vitest'
import { cotton, ZERO } from '#game/cotton.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { fundPool } from '#tests/support/fund-pool.ts'
import { test } from '#tests/support/test-world.ts'
import { dayAfter, dayOf, lockRewardDay, openRewardDay, readBudgetLeft } from './reward-day.ts'

const DAY_MS = 24 * 60 * 60_000

const setSpent = sql({
  name: 'test-set-spent',
  params: { day: 'date', spent: 'bigint' },
  text: ({ day, spent }) => `update reward_days set spent = ${spent} where day = ${day}`,
})

const readSpent = sql({
  name: 'test-read-spent',
  params: { day: 'date' },
  row: rowOf<{ wallet: string; spent: bigint; ofAll: bigint }>(),
  text: ({ day }) => `select w.wallet, w.spent, d.spent as "ofAll"
    from reward_days d join reward_day_wallets w using (day) where d.day = ${day} order by w.spent desc`,
})

test('the next budget starts at midnight in UTC', () => {
  expect(dayAfter(new Date('2026-02-28T23:59:59.999Z')).toISOString()).toBe('2026-03-01T00:00:00.000Z')
  expect(dayAfter(new Date('2026-03-01T00:00:00.000Z')).toISOString()).toBe('2026-03-02T00:00:00.000Z')
})

test('a wallet can use what all have left of the day’s budget, and the pool sets it only once', async ({
  world,
}) => {
  world.clock.advance(DAY_MS)
  const now = world.clock.now()
  const left = () => readBudgetLeft(world.db, { wallet: 'a wallet', now })
  await fundPool(world, 100_000)
  expect(await left()).toBe(cotton(20))
  await world.db.rows(openRewardDay, { day: dayOf(now), budget: cotton(500) })
  expect(await left()).toBe(cotton(10))
  await world.db.rows(setSpent, { day: dayOf(now), spent: cotton(497) })
  expect(await left()).toBe(cotton(3))
})

test('what a transaction spends is left to nobody, and only who spends something is recorded', async ({
  world,
}) => {
  world.clock.advance(DAY_MS)
  const now = world.clock.now()
  const day = dayOf(now)
  await world.db.rows(openRewardDay, { day, budget: cotton(1_000) })
  await world.db.rows(setSpent, { day, spent: cotton(960) })
  await world.db.transaction(async (tx) => {
    const budget = await lockRewardDay(tx, { wallets: ['ana', 'bob', 'zoe'], now })
    expect([budget.leftForAll(), budget.left('ana')]).toEqual([cotton(40), cotton(20)])
    budget.spend('ana', cotton(15))
    budget.spend('ana', cotton(4))
    budget.spend('bob', cotton(11))
    budget.spend('zoe', ZERO)
    expect(budget.leftForAll()).toBe(cotton(10))
    expect(['ana', 'bob', 'zoe'].map((wallet) => budget.left(wallet))).toEqual([1, 9, 10].map(cotton))
    budget.write()
  })
  expect(await world.db.rows(readSpent, { day })).toEqual([
    { wallet: 'ana', spent: cotton(19), ofAll: cotton(990) },
    { wallet: 'bob', spent: cotton(11), ofAll: cotton(990) },
  ])
})
