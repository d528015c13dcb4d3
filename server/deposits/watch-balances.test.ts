import { expect } from 'vitest'
import { type Address, type Chain, ChainUnavailable } from '#server/chain/port.ts'
import type { Db } from '#server/platform/db/db.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { test } from '#tests/support/test-world.ts'
import type { BalanceMismatch } from './find-mismatches.ts'
import {
  compareAllBalances,
  markUnread,
  newBalanceProgress,
  readActiveMismatches,
  type BalanceProgress,
} from './watch-balances.ts'

const COUNT = 4_150

/** A node on which these accounts hold one base unit, and all others nothing. It records its calls. */
function nodeWith(
  deposited: Iterable<string>,
  beforeAnswer: (accounts: readonly string[]) => unknown = () => {},
) {
  const nonEmpty = new Set(deposited)
  const asked: string[][] = []
  const chain: Pick<Chain, 'slot' | 'tokenBalances'> = {
    slot: async () => 7n,
    async tokenBalances(accounts: readonly Address[], { notBefore }: { notBefore: bigint }) {
      if (notBefore !== 7n) throw new ChainUnavailable('the node is at slot 7')
      asked.push([...accounts])
      await beforeAnswer(accounts)
      return { slot: 7n, amounts: accounts.map((account) => (nonEmpty.has(account) ? 1n : 0n)) }
    },
  }
  return { chain, asked, nonEmpty }
}

const pass = (
  db: Db,
  chain: Pick<Chain, 'slot' | 'tokenBalances'>,
  progress: BalanceProgress,
  signal?: AbortSignal,
) => compareAllBalances({ db, chain }, { progress, stopping: signal ?? new AbortController().signal })

const account = (index: number) => `account ${index}`

const assign = (db: Db, from: number, to: number) =>
  runQuery(
    db,
    `insert into deposit_addresses (index, owner, token_account, wallet, assigned_at)
     select n, 'owner ' || n, 'account ' || n, 'wallet ' || n, now() from generate_series($1::int, $2::int) n`,
    [from, to],
  )

const mismatch = (index: number): BalanceMismatch => ({
  index,
  wallet: `wallet ${index}`,
  owner: `owner ${index}` as Address,
  tokenAccount: account(index) as Address,
  expected: 0n,
  sweeping: 0n,
  amount: 1n,
})

const found = (progress: BalanceProgress) => [...progress.found.keys()].toSorted()

test.beforeAll(async ({ world }) => {
  await assign(world.db, 1, COUNT)
})

test('a pass calls a node once for each hundred addresses, and finds a deposit on any of them', async ({
  world,
}) => {
  const deposited = [1, 100, 101, 2_718, COUNT].map(account)
  const { chain, asked } = nodeWith(deposited)
  const progress = newBalanceProgress(1)
  await pass(world.db, chain, progress)
  expect(asked).toHaveLength(Math.ceil(COUNT / 100))
  expect(new Set(asked.flat()).size).toBe(COUNT)
  expect(found(progress)).toEqual(deposited.toSorted())
  expect(progress.comparedTo).toBe(0)
})

test('a history that could not be read counts no longer once its balance is the expected one', async ({
  world,
}) => {
  const progress = newBalanceProgress(1)
  for (const index of [1, 2]) progress.unread.set(account(index), world.clock.now())
  await pass(world.db, nodeWith([account(2)]).chain, progress)
  expect([...progress.unread.keys()]).toEqual([account(2)])
})

test('however many addresses there are, sixteen calls wait and at most a thousand addresses more are in memory', async ({
  world,
}) => {
  let rowsRead = 0
  const db: Db = {
    ...world.db,
    async rows(...args: Parameters<Db['rows']>) {
      const rows = await world.db.rows(...args)
      rowsRead += rows.length
      return rows
    },
  } as Db
  const held = Promise.withResolvers<void>()
  const { chain, asked } = nodeWith([], () => held.promise)
  const passing = pass(db, chain, newBalanceProgress(1))
  await expect.poll(() => asked.length).toBe(16)
  expect(rowsRead).toBeLessThanOrEqual(16 * 100 + 1_000)
  held.resolve()
  await passing
  expect(rowsRead).toBe(COUNT)
})

test('no more addresses are compared while a thousand wait for their histories', async ({ world }) => {
  const { chain, asked } = nodeWith(Array.from({ length: COUNT }, (_, at) => account(at + 1)))
  const progress = newBalanceProgress(1)
  const stopping = new AbortController()
  const passing = pass(world.db, chain, progress, stopping.signal)
  await expect.poll(() => progress.found.size).toBeGreaterThanOrEqual(1_000)
  const pause = () => new Promise((waited) => setTimeout(waited, 300))
  await pause()
  const calls = asked.length
  await pause()
  expect(asked.length).toBe(calls)
  expect(progress.found.size).toBeLessThanOrEqual(1_000 + 16 * 100)
  progress.found.clear()
  await expect.poll(() => asked.length).toBeGreaterThan(calls)
  stopping.abort()
  await passing
  // A pass that was stopped has not ended.
  expect(progress.comparedTo).toBeGreaterThan(0)
})

test('a pass that waits for histories ends when it is stopped', async ({ world }) => {
  const { chain, asked } = nodeWith([])
  const progress = newBalanceProgress(1)
  for (let index = 1; index <= 1_000; index++) progress.found.set(account(index), mismatch(index))
  const stopping = new AbortController()
  const passing = pass(world.db, chain, progress, stopping.signal)
  stopping.abort()
  await passing
  expect(asked).toEqual([])
})

test('an unexplained balance is found again when its pause is over, or after it was as expected', async ({
  world,
}) => {
  const { chain, nonEmpty } = nodeWith([account(3)])
  const progress = newBalanceProgress(1)
  const findings = async () => {
    progress.found.clear()
    await pass(world.db, chain, progress)
    return found(progress)
  }
  expect(await findings()).toEqual([account(3)])
  progress.unexplained.markRead(mismatch(3), 1)
  expect(await findings()).toEqual([])
  progress.number = 2
  expect(await findings()).toEqual([account(3)])
  progress.unexplained.markRead(mismatch(3), 2)
  expect(await findings()).toEqual([])
  nonEmpty.clear()
  expect(await findings()).toEqual([])
  nonEmpty.add(account(3))
  expect(await findings()).toEqual([account(3)])
})

test('at most fifty active addresses are due per round', async () => {
  const active = Array.from({ length: 60 }, (_, at) => mismatch(at + 1))
  const { chain } = nodeWith(active.map((each) => each.tokenAccount))
  const due = await readActiveMismatches(chain as Chain, {
    active,
    progress: newBalanceProgress(1),
    finalSlot: 7n,
  })
  expect(due.map((each) => each.index)).toEqual(Array.from({ length: 50 }, (_, at) => at + 1))
})

test('a pass that fails is continued without a gap', async ({ world }) => {
  const deposited = [3, 1_250, 1_350, 4_000].map(account)
  const { chain, asked } = nodeWith(deposited, async (accounts) => {
    if (
      accounts.includes(account(1_250)) &&
      asked.flat().filter((each) => each === account(1_250)).length === 1
    )
      throw new ChainUnavailable('no answer in time')
  })
  const progress = newBalanceProgress(1)
  await expect(pass(world.db, chain, progress)).rejects.toBeInstanceOf(ChainUnavailable)
  expect(progress.comparedTo).toBe(1_200)
  await pass(world.db, chain, progress)
  expect(found(progress)).toEqual(deposited.toSorted())
  // At most the pages that were in flight are read again.
  expect(asked.length).toBeLessThanOrEqual(Math.ceil(COUNT / 100) + 16)
})

test('an address that is assigned during a pass is compared in this pass or in the next', async ({
  world,
}) => {
  await runQuery(
    world.db,
    'update deposit_addresses set wallet = null, assigned_at = null where index = 5',
    [],
  )
  const last = COUNT + 30
  let assigned: Promise<unknown> | undefined
  const { chain } = nodeWith([account(5), account(last)], () => {
    assigned ??= Promise.all([
      runQuery(
        world.db,
        `update deposit_addresses set wallet = 'late', assigned_at = now() where index = 5`,
        [],
      ),
      assign(world.db, COUNT + 1, last),
    ])
    return assigned
  })
  const progress = newBalanceProgress(1)
  await pass(world.db, chain, progress)
  expect(found(progress)).toEqual([account(last)])
  await pass(world.db, chain, progress)
  expect(found(progress)).toEqual([account(last), account(5)].toSorted())
})

test('no more than a thousand histories that cannot be read are remembered', () => {
  const progress = newBalanceProgress(1)
  for (let index = 0; index <= 1_000; index++)
    expect(markUnread(progress, account(index), new Date(0))).toBe(false)
  expect(progress.unread.size).toBe(1_000)
  expect(markUnread(progress, account(0), new Date(1))).toBe(true)
  expect(markUnread(progress, account(1_000), new Date(1))).toBe(false)
})
