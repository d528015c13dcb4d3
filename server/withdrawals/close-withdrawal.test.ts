import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { fundPool } from '#tests/support/fund-pool.ts'
import { rawSql } from '#tests/support/raw-sql.ts'
import { waitUntil } from '#tests/support/chain-test-world.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { withdrawFrom } from '#tests/support/withdraw-without-chain.ts'
import { refundWithdrawal, settleWithdrawal } from './close-withdrawal.ts'

const takeLane = sql({
  name: 'test-take-lane',
  params: { id: 'uuid', account: 'text' },
  text: ({ id, account }) => `insert into lanes (lane, nonce_account, withdrawal_id)
    select coalesce(max(lane), 0) + 1, ${account}, ${id} from lanes`,
})

const readClosed = sql({
  name: 'test-read-closed',
  params: { id: 'uuid' },
  row: rowOf<Record<string, unknown>>(),
  text: ({ id }) => `select w.state, w.reason, w.settled_at as "settledAt", w.paid_by as "paidBy", d.spent,
      (select spent from reward_day_wallets b where b.wallet = w.wallet) as "spentByWallet",
      exists (select from lanes l where l.withdrawal_id = w.id) as "hasLane"
    from withdrawals w join reward_days d using (day) where w.id = ${id}`,
})

const forgetSpending = sql({
  name: 'test-forget-spending',
  params: { id: 'uuid' },
  text: ({ id }) => `with of_day as (
      update reward_days d set spent = 0 from withdrawals w where w.id = ${id} and d.day = w.day
    )
    update reward_day_wallets b set spent = 0 from withdrawals w where w.id = ${id} and b.day = w.day`,
})

const readBudgets = sql({
  name: 'test-read-budgets',
  params: { wallet: 'text' },
  row: rowOf<{ spent: bigint; spentByWallet: bigint }>(),
  text: ({ wallet }) => `select d.spent, w.spent as "spentByWallet"
    from reward_day_wallets w join reward_days d using (day) where w.wallet = ${wallet} order by day`,
})

const readClosing = sql({
  name: 'test-read-closing',
  params: { id: 'text' },
  row: rowOf<{ kind: string; detail: object; at: Date }>(),
  text: ({ id }) => `select kind::text, detail, at from journals
    where detail ->> 'withdrawalId' = ${id} and kind <> 'withdrawal'`,
})

const lockDayOf = sql({
  name: 'test-lock-day-of',
  params: { id: 'uuid' },
  text: ({ id }) =>
    `select from reward_days d where d.day = (select w.day from withdrawals w where w.id = ${id}) for update`,
})

const readBackend = sql({
  name: 'test-read-backend',
  row: rowOf<{ pid: number }>(),
  text: 'select pg_backend_pid() as pid',
})

const findWaiting = sql({
  name: 'test-find-waiting',
  params: { pid: 'integer' },
  text: ({ pid }) => `select from pg_stat_activity where pid = ${pid} and wait_event_type = 'Lock'`,
})

const touchTotals = sql({
  name: 'test-touch-totals',
  params: { pid: 'integer' },
  text: ({ pid }) => `insert into credit_totals as t (shard) values (${pid} % 1024)
    on conflict (shard) do update set held = t.held`,
})

/** A withdrawal of 5 deposited and 2 earned $COTTON that has a lane, on a day with a budget. */
async function openWithdrawal(world: TestWorld) {
  world.clock.advance(24 * 60 * 60_000)
  await fundPool(world, 100_000)
  const player = await world.player({ deposited: 5, earned: 10 })
  const { id } = await withdrawFrom(world, player, cotton(7))
  await world.db.rows(takeLane, { id, account: id })
  expect(await world.db.rows(readClosed, { id })).toMatchObject([
    { state: 'requested', spent: cotton(2), spentByWallet: cotton(2), hasLane: true },
  ])
  world.clock.advance(60_000)
  const closing = { id, wallet: player.wallet, now: world.clock.now() }
  const settle = (over: { id?: string } = {}) =>
    world.db.transaction((tx) => settleWithdrawal(tx, { ...closing, signature: 'of a payout', ...over }))
  const refund = (over: { id?: string } = {}) =>
    world.db.transaction((tx) => refundWithdrawal(tx, { ...closing, reason: 'It failed.', ...over }))
  return { player, id, settle, refund }
}

test('a withdrawal is settled once, and then never refunded', async ({ world }) => {
  const { player, id, settle, refund } = await openWithdrawal(world)
  const now = world.clock.now()
  expect(await settle()).toBe(true)
  expect([await settle(), await refund()]).toEqual([false, false])
  expect(await world.db.rows(readClosed, { id })).toEqual([
    {
      state: 'finalized',
      reason: null,
      settledAt: now,
      paidBy: 'of a payout',
      spent: cotton(2),
      spentByWallet: cotton(2),
      hasLane: false,
    },
  ])
  expect(await world.db.rows(readClosing, { id })).toEqual([
    { kind: 'settlement', detail: { withdrawalId: id, signature: 'of a payout' }, at: now },
  ])
  expect(await world.credit(player)).toEqual({ deposited: 0n, earned: cotton(8) })
})

test('a withdrawal is refunded once, to its classes and to the budget of its day, and then never settled', async ({
  world,
}) => {
  const { player, id, settle, refund } = await openWithdrawal(world)
  const now = world.clock.now()
  expect(await refund()).toBe(true)
  expect([await refund(), await settle()]).toEqual([false, false])
  expect(await world.db.rows(readClosed, { id })).toEqual([
    {
      state: 'refunded',
      reason: 'It failed.',
      settledAt: now,
      paidBy: null,
      spent: 0n,
      spentByWallet: 0n,
      hasLane: false,
    },
  ])
  expect(await world.db.rows(readClosing, { id })).toEqual([
    { kind: 'refund', detail: { withdrawalId: id, reason: 'It failed.' }, at: now },
  ])
  expect(await world.credit(player)).toEqual({ deposited: cotton(5), earned: cotton(10) })
})

test('a withdrawal is refunded whatever the login of the api has written into the budget of its day', async ({
  world,
}) => {
  const { player, id, refund } = await openWithdrawal(world)
  await world.db.rows(forgetSpending, { id })
  expect(await refund()).toBe(true)
  expect(await world.db.rows(readClosed, { id })).toMatchObject([
    { state: 'refunded', spent: 0n, spentByWallet: 0n },
  ])
  expect(await world.credit(player)).toEqual({ deposited: cotton(5), earned: cotton(10) })
})

test('a refund returns nothing to the budget of a later day', async ({ world }) => {
  const { player, refund } = await openWithdrawal(world)
  world.clock.advance(24 * 60 * 60_000)
  await withdrawFrom(world, player, cotton(3))
  expect(await refund()).toBe(true)
  expect(await world.db.rows(readBudgets, { wallet: player.wallet })).toEqual([
    { spent: 0n, spentByWallet: 0n },
    { spent: cotton(3), spentByWallet: cotton(3) },
  ])
})

test('what does not exist is neither settled nor refunded', async ({ world }) => {
  const { settle, refund } = await openWithdrawal(world)
  const unknown = { id: randomUUID() }
  expect([await settle(unknown), await refund(unknown)]).toEqual([false, false])
})

test('a settlement waits for the ledger accounts of its wallet before it locks the withdrawal', async ({
  world,
}) => {
  const { player, id } = await openWithdrawal(world)
  const of = { id, wallet: player.wallet, now: world.clock.now(), signature: 'of a payout' }
  await world.db.transaction(async (tx) => {
    await openLedger(tx, [player.wallet])
    const settled = world.db.transaction(async (other) => {
      await other.rows(rawSql({ name: 'test-lock-timeout', text: `set local lock_timeout = '20ms'` }))
      return settleWithdrawal(other, of)
    })
    await expect(settled).rejects.toThrow('lock timeout')
  })
  expect(await world.db.transaction((tx) => settleWithdrawal(tx, of))).toBe(true)
})

test('a refund waits for the budget of its day before it locks the totals of all credit', async ({
  world,
}) => {
  const { player, id } = await openWithdrawal(world)
  const of = { id, wallet: player.wallet, now: world.clock.now(), reason: 'It failed.' }
  const backend = Promise.withResolvers<number>()
  // As a request does: the budget first. Its connection may share the row of the totals with that of the refund.
  const refunded = await world.db.transaction(async (tx) => {
    await tx.rows(lockDayOf, { id })
    const refund = world.db.transaction(async (other) => {
      backend.resolve((await other.rows(readBackend))[0]!.pid)
      return refundWithdrawal(other, of)
    })
    const pid = await backend.promise
    await waitUntil(async () => (await world.db.rows(findWaiting, { pid })).length > 0)
    await tx.rows(rawSql({ name: 'test-lock-timeout', text: `set local lock_timeout = '20ms'` }))
    await tx.rows(touchTotals, { pid })
    return { refund }
  })
  expect(await refunded.refund).toBe(true)
})
