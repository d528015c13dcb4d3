import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect } from 'vitest'
import {
  type Address,
  type Chain,
  ChainUnavailable,
  type Receipt,
  type Signature,
} from '#server/chain/port.ts'
import type { Db } from '#server/platform/db/db.ts'
import { type Measurement, onMeasurement } from '#server/platform/measure.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { createChainWithHistories, createReceipt } from '#tests/support/nodes-with-histories.ts'
import { waitFor } from '#tests/support/run-server.ts'
import { test as worldTest, type TestWorld } from '#tests/support/test-world.ts'
import type { BalanceMismatch } from './find-mismatches.ts'
import { newWatchProgress, type WatchProgress, watchRound } from './watch-deposits.ts'

/** Each test begins without addresses. */
const test = worldTest.extend('emptied', { auto: true }, async ({ world }) => {
  await runQuery(world.db, 'delete from receipts')
  await runQuery(world.db, 'delete from deposit_addresses')
  return null
})

const ownerOf = (index: number) => `owner ${index}` as Address
const accountOf = (index: number) => `account ${index}` as Address
const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at + 1)

/** An index after every address. */
const LAST = 2_000_000_000
const FINAL_SLOT = 7n

/** A node on which every history is empty. It records what it is asked. */
function emptyNode(beforeHistory: (address: Address) => unknown = () => {}, filled: Address[] = []) {
  const asked = { slots: 0, histories: [] as Address[] }
  const chain: Partial<Chain> = {
    async slot() {
      asked.slots += 1
      return FINAL_SLOT
    },
    async history(address) {
      asked.histories.push(address)
      await beforeHistory(address)
      return []
    },
    tokenBalances: async (accounts) => ({
      slot: FINAL_SLOT,
      amounts: accounts.map((each) => (filled.includes(each) ? 1n : 0n)),
    }),
    statuses: async (signatures) => signatures.map(() => null),
    createReceiptReader: () => async () => null,
  }
  return { chain: chain as Chain, asked }
}

type Logged = { level: number; owner?: string; reason?: string; err?: { message: string } }

async function round(
  { db, clock }: TestWorld,
  chain: Chain,
  progress: WatchProgress,
  stopping: AbortSignal = new AbortController().signal,
): Promise<Logged[]> {
  const logged: Logged[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const result = watchRound({ db, chain, clock, log }, { progress, stopping })
  await result.catch((error: unknown) => {
    throw Object.assign(error as Error, { logged })
  })
  return logged
}

const mismatch = (index: number): BalanceMismatch => ({
  index,
  wallet: `wallet ${index}`,
  owner: ownerOf(index),
  tokenAccount: accountOf(index),
  expected: 0n,
  sweeping: 0n,
  amount: 1n,
})

/** The progress of a round after a pass that found these addresses. Its rotation is at its end. */
function progressWith(found: readonly number[], number = 1): WatchProgress {
  const progress = { ...newWatchProgress(number), rotationAfter: LAST }
  for (const index of found) progress.found.set(accountOf(index), mismatch(index))
  return progress
}

/** Assigns the addresses 1 to `count`, each a second before the one after the last active one. */
const assign = (db: Db, count: number, { activeSince = null }: { activeSince?: Date | null } = {}) =>
  runQuery(
    db,
    `insert into deposit_addresses (index, owner, token_account, wallet, assigned_at, lively_at)
     select n, 'owner ' || n, 'account ' || n, 'wallet ' || n, now(), $2::timestamptz - n * interval '1 second'
     from generate_series(1, $1::int) n`,
    [count, activeSince],
  )

test('a round reads the histories of the hundred addresses that were found first', async ({ world }) => {
  const { chain, asked } = emptyNode()
  const progress = progressWith(upTo(0, 105))
  const measured: Measurement[] = []
  const stop = onMeasurement((measurement) => void measured.push(measurement))
  expect(await round(world, chain, progress)).toEqual([])
  stop()
  expect(measured).toContainEqual({ of: 'slot', slot: FINAL_SLOT, at: world.clock.now() })
  expect(new Set(asked.histories)).toEqual(new Set(upTo(0, 100).map(accountOf)))
  expect(asked).toMatchObject({ slots: 1, histories: { length: 100 } })
  expect([...progress.found.keys()]).toEqual(upTo(100, 105).map(accountOf))
  // A history that explains nothing is not read again at once.
  expect(progress.unexplained.isDue(mismatch(1), 1)).toBe(false)
  expect(progress.unexplained.isDue(mismatch(1), 2)).toBe(true)
  await round(world, chain, progress)
  expect(asked.histories.slice(100).toSorted()).toEqual(upTo(100, 105).map(accountOf))
  expect(progress).toMatchObject({ number: 3, found: new Map() })
})

test('of a long history a round reads two hundred transactions, and the next rounds continue there', async ({
  world,
}) => {
  await assign(world.db, 1)
  const history = upTo(0, 450).map((at) =>
    createReceipt({ signature: `tx ${at}` as Signature, slot: BigInt(at), accounts: [accountOf(1)] }),
  )
  const { chain, asked } = createChainWithHistories({ [accountOf(1)]: history })
  const node: Chain = { ...emptyNode().chain, ...chain, createReceiptReader: () => chain.receipt }
  const progress = progressWith([1])
  for (const read of [200, 400, 450]) {
    expect(progress.found.size).toBe(1)
    progress.rotationAfter = LAST
    expect(await round(world, node, progress)).toEqual([])
    expect(asked.receipts).toHaveLength(read)
  }
  expect(new Set(asked.receipts).size).toBe(450)
  expect(progress.found.size).toBe(0)
})

test('an address that no node can read stays due, and one that cannot be scanned is only logged', async ({
  world,
}) => {
  const failed = Promise.withResolvers<void>()
  const { chain } = emptyNode(async (address) => {
    if (address === accountOf(1)) {
      failed.resolve()
      throw new ChainUnavailable('a malformed response')
    }
    if (address === accountOf(2)) throw new TypeError('a bug')
    await failed.promise
  })
  const progress = progressWith([1, 2, 3])
  const logged = await round(world, chain, progress)
  expect([...progress.found.keys()]).toEqual([accountOf(1)])
  expect(logged).toHaveLength(2)
  expect(logged).toContainEqual(
    expect.objectContaining({ level: 40, owner: ownerOf(1), reason: 'a malformed response' }),
  )
  expect(logged).toContainEqual(
    expect.objectContaining({
      level: 50,
      owner: ownerOf(2),
      err: expect.objectContaining({ message: 'a bug' }),
    }),
  )
})

test('an address that no node can read fails no round in which others were read', async ({ world }) => {
  const progress = progressWith([1, 2, 3])
  const { chain } = emptyNode(async (address) => {
    if (address !== accountOf(1)) return
    while (progress.found.size > 1) await sleep(1)
    throw new ChainUnavailable('no answer in time')
  })
  const logged = await round(world, chain, progress)
  expect(logged.map(({ level, owner }) => [level, owner])).toEqual([[40, ownerOf(1)]])
  expect([...progress.found.keys()]).toEqual([accountOf(1)])
})

test('each round measures for how long a history cannot be read whose balance differs', async ({ world }) => {
  await assign(world.db, 2)
  let isReadable = false
  const { chain } = emptyNode((address) => {
    if (address !== accountOf(3) && !isReadable) throw new ChainUnavailable('no answer in time')
  })
  const ages: number[] = []
  const stop = onMeasurement((each) => void (each.of === 'unread' && ages.push(each.ageMs)))
  // The balance of the second address is the expected one. The rotation reads the history of the first as well.
  const progress = { ...progressWith([1]), rotationAfter: 0 }
  for (let rounds = 0; rounds < 3; rounds++) {
    // The third address receives more and more.
    progress.found.set(accountOf(3), { ...mismatch(3), amount: BigInt(rounds) })
    await round(world, chain, progress)
    world.clock.advance(60_000)
  }
  expect([...progress.unread.keys()]).toEqual([accountOf(1)])
  isReadable = true
  await round(world, chain, progress)
  stop()
  expect(ages).toEqual([0, 60_000, 120_000, 0])
})

test('a history counts as unread while no node returns one of its transactions', async ({ world }) => {
  const { wallet } = await world.player()
  const signature = 'hidden' as Signature
  const item = { signature, slot: 5n, failed: false, memo: null, commitment: 'finalized' } as const
  let isHidden = true
  const chain: Chain = {
    ...emptyNode().chain,
    nodes: [],
    history: async (address, { before }) =>
      isHidden && address === accountOf(1) && before === undefined ? [item] : [],
  }
  const progress = progressWith([1])
  const readAgain = async (amount = 1n): Promise<Logged[]> => {
    progress.found.set(accountOf(1), { ...mismatch(1), wallet, amount })
    return round(world, chain, progress)
  }
  // A node may list a transaction moments before it returns it.
  expect(await readAgain()).toEqual([])
  expect(await readAgain()).toMatchObject([{ level: 40, owner: ownerOf(1) }])
  expect([...progress.unread.keys()]).toEqual([accountOf(1)])
  isHidden = false
  expect(await readAgain(2n)).toEqual([])
  expect(progress.unread.size).toBe(0)
})

test('a history counts as unread while it does not explain all that its account holds', async ({ world }) => {
  const { wallet } = await world.player()
  const shown: Receipt[] = []
  const { chain: shows } = createChainWithHistories({ [accountOf(1)]: shown })
  const history: Chain['history'] = async (...of) =>
    (await shows.history(...of)).map((item) => ({ ...item, commitment: 'confirmed' }))
  const chain = { ...shows, history, createReceiptReader: () => shows.receipt }
  const progress = progressWith([])
  const readAgain = async (of: Partial<BalanceMismatch> = {}) => {
    progress.found.set(accountOf(1), { ...mismatch(1), wallet, ...of })
    const logged = await round(world, chain, progress)
    return { unread: progress.unread.has(accountOf(1)), logged: logged.length }
  }
  // The balance may be that of a deposit that is in the history since.
  expect(await readAgain()).toEqual({ unread: false, logged: 0 })
  expect(await readAgain()).toEqual({ unread: true, logged: 0 })
  expect(await readAgain()).toEqual({ unread: true, logged: 1 })
  for (let reads = 0; reads < 2; reads++)
    expect(await readAgain({ amount: 2n, expected: 3n })).toEqual({ unread: false, logged: 0 })
  // A deposit that is not final is no surprise.
  shown.push(createReceipt({ signature: 'new' as Signature, slot: 5n, accounts: [accountOf(1)] }))
  for (let reads = 0; reads < 2; reads++)
    expect(await readAgain({ amount: 4n })).toEqual({ unread: false, logged: 0 })
})

test('a round in which nothing can be read measures it, too', async ({ world }) => {
  const { chain } = emptyNode(() => Promise.reject(new ChainUnavailable('no answer')))
  const progress = progressWith([1])
  progress.unread.set(accountOf(1), world.clock.now())
  world.clock.advance(60_000)
  const measured: Measurement[] = []
  const stop = onMeasurement((measurement) => void measured.push(measurement))
  await expect(round(world, chain, progress)).rejects.toBeInstanceOf(ChainUnavailable)
  stop()
  expect(measured).toContainEqual({ of: 'unread', ageMs: 60_000 })
})

test('an active address that no node can read is compared again, and not stored as found', async ({
  world,
}) => {
  await assign(world.db, 1, { activeSince: world.clock.now() })
  const { chain } = emptyNode(() => Promise.reject(new ChainUnavailable('no answer')), [accountOf(1)])
  const progress = progressWith([])
  await expect(round(world, chain, progress)).rejects.toBeInstanceOf(ChainUnavailable)
  expect(progress.found.size).toBe(0)
})

test('after eight failures in a row a round ends, and rejects as unavailable', async ({ world }) => {
  const { chain, asked } = emptyNode(() => Promise.reject(new ChainUnavailable('no answer')))
  const progress = progressWith(upTo(0, 60))
  const error: unknown = await round(world, chain, progress).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(ChainUnavailable)
  // Four scans run at once, so three more may have begun.
  expect(asked.histories.length).toBeGreaterThanOrEqual(8)
  expect(asked.histories.length).toBeLessThanOrEqual(11)
  expect((error as { logged: Logged[] }).logged.map(({ level }) => level)).toEqual(Array(7).fill(40))
  expect(progress.found.size).toBe(60)
})

test('nodes that stop answering during a round make it unavailable, although it has read a history', async ({
  world,
}) => {
  const progress = progressWith(upTo(0, 9))
  const { chain } = emptyNode(async (address) => {
    if (address === accountOf(1)) return
    await waitFor('the first history', () => !progress.found.has(accountOf(1)))
    throw new ChainUnavailable('no answer')
  })
  await expect(round(world, chain, progress)).rejects.toBeInstanceOf(ChainUnavailable)
  expect([...progress.found.keys()].toSorted()).toEqual(upTo(1, 9).map(accountOf))
})

test('a round that is stopped begins no scan', async ({ world }) => {
  const { chain, asked } = emptyNode()
  await round(world, chain, progressWith([1, 2]), AbortSignal.abort())
  expect(asked.histories).toEqual([])
})

test('addresses with pending deposits are scanned fifty per round, in rotation', async ({ world }) => {
  await assign(world.db, 120)
  await runQuery(
    world.db,
    `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, seen_at)
     select 'signature ' || n, 'account ' || n, 'wallet ' || n, 'cotton', 1, $1, 'pending', now()
     from generate_series(1, 120) n`,
    [FINAL_SLOT],
  )
  const { chain, asked } = emptyNode()
  const progress = progressWith([])
  const counts: number[] = []
  for (let number = 0; number < 4; number++) {
    const before = asked.histories.length
    progress.rotationAfter = LAST
    await round(world, chain, progress)
    counts.push(asked.histories.length - before)
  }
  expect(counts).toEqual([50, 50, 20, 50])
  expect(new Set(asked.histories.slice(0, 120))).toEqual(new Set(upTo(0, 120).map(accountOf)))
})

test('both histories of five addresses are read per round, in rotation', async ({ world }) => {
  await assign(world.db, 12)
  const { chain, asked } = emptyNode()
  const progress = newWatchProgress(1)
  for (const expected of [upTo(0, 5), upTo(5, 10), [11, 12], upTo(0, 5)]) {
    asked.histories.length = 0
    expect(await round(world, chain, progress)).toEqual([])
    expect(asked.histories.toSorted()).toEqual(
      [...expected.map(accountOf), ...expected.map(ownerOf)].toSorted(),
    )
  }
})

test('an address of the rotation that cannot be scanned is logged, and the others are scanned', async ({
  world,
}) => {
  await assign(world.db, 5)
  const { chain, asked } = emptyNode((address) => {
    if (address === accountOf(2)) throw new TypeError('a bug')
  })
  const logged = await round(world, chain, newWatchProgress(1))
  expect(logged).toEqual([expect.objectContaining({ level: 50, owner: ownerOf(2) })])
  expect(asked.histories).toHaveLength(9)
})

test('every fifteenth round reads the owners’ histories of twenty active addresses, in rotation', async ({
  world,
}) => {
  await assign(world.db, 30, { activeSince: world.clock.now() })
  const readIn = async (number: number) => {
    const { chain, asked } = emptyNode()
    expect(await round(world, chain, progressWith([], number))).toEqual([])
    return asked.histories.toSorted()
  }
  const bothOf = (indexes: number[]) => [...indexes.map(accountOf), ...indexes.map(ownerOf)].toSorted()
  expect(await readIn(0)).toEqual(bothOf(upTo(0, 20)))
  expect(await readIn(15)).toEqual(bothOf([...upTo(20, 30), ...upTo(0, 10)]))
  expect(await readIn(30)).toEqual(bothOf(upTo(10, 30)))
  for (const number of [1, 14, 16]) expect(await readIn(number)).toEqual([])
})

test('every fifteenth round reads the histories of twenty unassigned addresses, in rotation', async ({
  world,
}) => {
  await assign(world.db, 45)
  await runQuery(world.db, 'update deposit_addresses set wallet = null, assigned_at = null')
  for (const [number, expected] of [
    [0, upTo(0, 20)],
    [15, upTo(20, 40)],
    [1, []],
  ] as const) {
    const { chain, asked } = emptyNode()
    expect(await round(world, chain, progressWith([], number))).toEqual([])
    expect(asked.histories.toSorted()).toEqual(
      [...expected.map(accountOf), ...expected.map(ownerOf)].toSorted(),
    )
  }
})

test('an unassigned address that cannot be read is logged, and the others are read', async ({ world }) => {
  await assign(world.db, 3)
  await runQuery(world.db, 'update deposit_addresses set wallet = null, assigned_at = null')
  const { chain, asked } = emptyNode((address) => {
    if (address === accountOf(2)) throw new TypeError('a bug')
  })
  const logged = await round(world, chain, progressWith([], 0))
  expect(logged).toEqual([expect.objectContaining({ level: 50, owner: ownerOf(2) })])
  for (const index of [1, 3]) expect(asked.histories).toContain(ownerOf(index))
})
