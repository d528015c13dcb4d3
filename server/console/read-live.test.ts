import { expect } from 'vitest'
import { writeOperatorLog } from '#server/operators/operator-log.ts'
import { openDb, type Queryable, sql } from '#server/platform/db/db.ts'
import { addWithdrawal, clearMoney } from '#tests/support/money-situations.ts'
import { test } from '#tests/support/test-world.ts'
import { pauseWithdrawals, resumeWithdrawals } from '#server/withdrawals/withdrawal-pause.ts'
import { readLive } from './read-live.ts'

const changeState = sql({
  name: 'test-change-state',
  params: { id: 'uuid', state: 'text', retryAt: 'timestamptz | null' },
  text: ({ id, state, retryAt }) =>
    `update withdrawals set state = ${state}, retry_at = ${retryAt} where id = ${id}`,
})

const addPending = sql({
  name: 'test-add-pending',
  params: { wallet: 'text', at: 'timestamptz' },
  text: ({ wallet, at }) =>
    `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, seen_at)
     select 'deposit ' || n, 'account', ${wallet}, 'cotton', 1000000, 1, 'pending', ${at} - n * interval '1 s'
     from generate_series(1, 2) n`,
})

const changeOlderDeposit = sql({
  name: 'test-change-older-deposit',
  params: { state: 'text', why: 'text | null' },
  text: ({ state, why }) =>
    `update receipts set state = ${state}, why = ${why} where signature = 'deposit 2'`,
})

const addReceipt = sql({
  name: 'test-add-receipt',
  params: { state: 'text', wallet: 'text', at: 'timestamptz' },
  text: ({ state, wallet, at }) =>
    `insert into receipts
       (signature, token_account, wallet, asset, amount, slot, state, why, seen_at, credited_at, journal_id)
     values (gen_random_uuid()::text, 'account', ${wallet}, 'cotton', 1000000, 1, ${state}, 'too_large', ${at}, ${at},
       case when ${state} = 'credited' then gen_random_uuid() end)`,
})

test('the version of the withdrawals changes with each step of one, also when its payout fails', async ({
  world,
}) => {
  await clearMoney(world)
  const db = openDb(world.urlFor('console'), { max: 1, applicationName: 'test-console' })
  const readVersion = async () => (await readLive(db, world.clock.now())).versions.withdrawals
  const id = await addWithdrawal(world, 'requested')
  const versions = [await readVersion()]
  const steps = [
    ['approved', null],
    ['approved', world.clock.now()],
    ['signed', null],
    ['sent', null],
    ['refunded', null],
  ] as const
  for (const [state, retryAt] of steps) {
    await world.db.rows(changeState, { id, state, retryAt })
    versions.push(await readVersion())
  }
  expect(versions.filter((version, at) => version === versions[at - 1])).toEqual([])
  await db.end()
  await clearMoney(world)
})

test('the version of the pause changes with each reason that is added', async ({ world }) => {
  const readVersion = async () => (await readLive(world.db, world.clock.now())).versions.pause
  const versions = [await readVersion()]
  for (const why of ['An audit.', 'Tokens are missing.']) {
    await pauseWithdrawals(world.db, { why, now: world.clock.now() })
    versions.push(await readVersion())
  }
  expect(new Set(versions).size).toBe(3)
  await resumeWithdrawals(world.db)
  expect(await readVersion()).toBe(versions[0])
})

test('the version of the log changes with a line that is committed after one with a higher number', async ({
  world,
}) => {
  const readVersion = async () => (await readLive(world.db, world.clock.now())).versions.log
  const write = (on: Queryable) =>
    writeOperatorLog(on, { who: 'ana', now: world.clock.now(), command: 'freeze', outcome: 'Done.' })
  const versions = [await readVersion()]
  await world.db.transaction(async (tx) => {
    await write(tx)
    await write(world.db)
    versions.push(await readVersion())
  })
  versions.push(await readVersion())
  expect(new Set(versions).size).toBe(3)
})

test('the version of the deposits changes when a pending one waits for something, and when it is dropped', async ({
  world,
}) => {
  const { wallet } = await world.player()
  await world.db.rows(addPending, { wallet, at: world.clock.now() })
  const readVersion = async () => (await readLive(world.db, world.clock.now())).versions.deposits
  const versions = [await readVersion()]
  for (const [state, why] of [
    ['pending', 'second_node'],
    ['pending', 'nodes_disagree'],
    ['dropped', null],
  ] as const) {
    await world.db.rows(changeOlderDeposit, { state, why })
    versions.push(await readVersion())
  }
  expect(new Set(versions).size).toBe(4)
})

test('a version changes with a row of a process whose clock is behind', async ({ world }) => {
  await clearMoney(world)
  const { wallet } = await world.player()
  const readVersions = async () => (await readLive(world.db, world.clock.now())).versions
  const receive = async (state: string) =>
    void (await world.db.rows(addReceipt, { state, wallet, at: world.clock.now() }))
  for (const [topic, add] of [
    ['withdrawals', async () => void (await addWithdrawal(world, 'requested'))],
    ['deposits', () => receive('unclaimed')],
    ['deposits', () => receive('credited')],
  ] as const) {
    await add()
    const before = (await readVersions())[topic]
    world.clock.advance(-1_000)
    await add()
    expect((await readVersions())[topic]).not.toBe(before)
    world.clock.advance(1_000)
  }
  await clearMoney(world)
})
