import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { baseUnits, cotton } from '#game/cotton.ts'
import { dailyBudget, fundingEntries, OPERATOR, WALLET_BUDGET_BPS } from '#game/credit.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { readWorldBalances } from '#server/ledger/read-world-balances.ts'
import type { Db } from '#server/platform/db/db.ts'
import { refundWithdrawal } from '#server/withdrawals/close-withdrawal.ts'
import { readRequested } from '#server/withdrawals/open-withdrawals.ts'
import { dayAfter, dayOf, lockRewardDay, readBudgetLeft } from '#server/withdrawals/reward-day.ts'
import { createPlayerWith, withdraw } from '#tests/support/chain-test-players.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { fitsDayBudget, openTodaysBudget } from './reward-bounds.ts'

const world = setUpChainTestWorld()

test('a hold whose tokens another entry returns to the pool does not raise the budget of its day', async () => {
  await world.skipDays(1)
  const { pool } = await readWorldBalances(world.owner)
  const day = dayOf(world.clock.now())
  // A real one of the same day takes from the pool as it was, and one that is refunded takes nothing.
  const player = await createPlayerWith(world, { earned: 9_000 })
  await withdraw(world, player, cotton(5_000))
  const { id: refunded } = await withdraw(world, player, cotton(1_000))
  const closing = { id: refunded, wallet: player.address, now: world.clock.now(), reason: 'It failed.' }
  expect(await world.owner.transaction((tx) => refundWithdrawal(tx, closing))).toBe(true)
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

test('the budget of a day is for all wallets together, and each wallet has a share of it', async () => {
  await world.skipDays(1)
  const { db } = await world.newSigner()
  const [player, other] = [
    await createPlayerWith(world, { earned: 9 }),
    await createPlayerWith(world, { earned: 9 }),
  ]
  await withdraw(world, player, cotton(5))
  const { id } = await withdraw(world, other, cotton(5))
  const withdrawal = (await readRequested(db)).find(({ wallet }) => wallet === player.address)!
  const fits = (earned: bigint) => fitsDayBudget(db, { ...withdrawal, earned: baseUnits(earned) })
  expect(await fits(1n)).toBe(true)
  const [day] = await runQuery<{ budget: bigint }>(
    world.owner,
    'select budget from reward_bounds where day = $1::date',
    [withdrawal.day],
  )
  const { budget } = day!
  const share = (budget * WALLET_BUDGET_BPS) / 10_000n
  expect([await fits(share), await fits(share + 1n)]).toEqual([true, false])
  // The other wallet takes all but one base unit, once that is approved and as long as it is not refunded.
  const moveOther = (state: string) =>
    runQuery(world.owner, 'update withdrawals set state = $2, earned = $3 where id = $1', [
      id,
      state,
      budget - 1n,
    ])
  for (const state of ['approved', 'signed', 'sent', 'finalized']) {
    await moveOther(state)
    expect([await fits(1n), await fits(2n)], state).toEqual([true, false])
  }
  for (const state of ['requested', 'review', 'refunded']) {
    await moveOther(state)
    expect(await fits(2n), state).toBe(true)
  }
})

const readBudgets = async (day: string) =>
  (
    await runQuery<{ bound: bigint; budget: bigint; spent: bigint }>(
      world.owner,
      'select b.budget as bound, d.budget, spent from reward_bounds b join reward_days d using (day) where day = $1::date',
      [day],
    )
  )[0]

test('a signer that is killed while it opens a day leaves nothing of it, and the next round opens it', async () => {
  await world.skipDays(1)
  const signer = await world.newSigner()
  const { pool } = await readWorldBalances(world.owner)
  const killed: Db = {
    ...signer.db,
    transaction: (work) =>
      signer.db.transaction(async (tx) => {
        await work(tx)
        throw new Error('killed')
      }),
  }
  await expect(openTodaysBudget({ ...signer, db: killed })).rejects.toThrow('killed')
  const day = dayOf(world.clock.now())
  expect(await readBudgets(day)).toBeUndefined()
  await openTodaysBudget(signer)
  // The pool grows, and the budget of the day does not.
  await world.owner.transaction(async (tx) => {
    const ledger = await openLedger(tx, [])
    const entries = fundingEntries(cotton(9_000_000))
    ledger.post({ wallet: OPERATOR, kind: 'funding', at: world.clock.now(), detail: {}, entries })
    ledger.write()
  })
  const player = await createPlayerWith(world, { earned: 90_000 })
  const budget = dailyBudget(pool)
  await openTodaysBudget(signer)
  expect(await readBudgets(day)).toEqual({ bound: budget, budget, spent: 0n })
  // All that the api grants, the signer pays.
  const left = await readBudgetLeft(world.owner, { wallet: player.address, now: world.clock.now() })
  await withdraw(world, player, left)
  const withdrawal = (await readRequested(signer.db)).find(({ wallet }) => wallet === player.address)!
  expect(withdrawal.earned).toBe(left)
  expect(await fitsDayBudget(signer.db, withdrawal)).toBe(true)
})

test('a day that an api has opened early has no larger budget than the signer accepts, and what was granted stays', async () => {
  await world.skipDays(1)
  const signer = await world.newSigner()
  await openTodaysBudget(signer)
  const now = world.clock.now()
  const tomorrow = dayAfter(now)
  // One api is ahead. Another one grants something on the day before, which is no longer in the pool afterwards.
  await world.api.transaction((tx) => lockRewardDay(tx, { wallets: [], now: tomorrow }))
  const player = await createPlayerWith(world, { earned: 9_000 })
  await withdraw(world, player, cotton(5_000))
  await world.skipDays(1)
  const day = dayOf(world.clock.now())
  expect(day).toBe(dayOf(tomorrow))
  const { pool } = await readWorldBalances(world.owner)
  await openTodaysBudget(signer)
  const budget = dailyBudget(pool)
  expect(await readBudgets(day)).toEqual({ bound: budget, budget, spent: 0n })

  // Had the api granted more than that, it would stay granted, and the books in order.
  const granted = budget + 1n
  await runQuery(
    world.owner,
    'update reward_days set budget = $2::bigint + 5, spent = $2 where day = $1::date',
    [day, granted],
  )
  await openTodaysBudget(signer)
  expect(await readBudgets(day)).toEqual({ bound: budget, budget: granted, spent: granted })
  await runQuery(world.owner, 'update reward_days set spent = 0 where day = $1::date', [day])
})
