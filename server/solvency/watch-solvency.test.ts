import { pino } from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { type Address, type Chain, ChainUnavailable } from '#server/chain/port.ts'
import { buildPayout } from '#server/chain/transactions.ts'
import { creditDeposits } from '#server/deposits/credit-deposits.ts'
import { takeDepositAddress } from '#server/deposits/take-address.ts'
import { type Measurement, onMeasurement } from '#server/platform/measure.ts'
import { settleWithdrawal } from '#server/withdrawals/close-withdrawal.ts'
import { pauseWithdrawals, readPause, resumeWithdrawals } from '#server/withdrawals/withdrawal-pause.ts'
import { standingOf } from '#server/withdrawals/reserve-standing.ts'
import { createSigningRound } from '#server/signer/start-signer.ts'
import type { Signer } from '#server/signer/signer.ts'
import { sweepDeposits } from '#server/signer/sweeps/sweep-deposits.ts'
import { createPlayerWith, runUntilSettled, withdraw } from '#tests/support/chain-test-players.ts'
import { runQuery, type ChainTestWorld, waitUntil } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { type ReserveSnapshot, readSnapshot } from './reserve-snapshot.ts'
import { pagesOf, takeSnapshot } from './take-snapshot.ts'
import type { ReserveComparison } from './compare-reserve.ts'
import { assessShortage, runSolvencyRound, watchSolvency } from './watch-solvency.ts'

const world = setUpChainTestWorld()
let signer: Signer

beforeAll(async () => {
  signer = await world.newSigner()
})

const deps = (over: Partial<{ chain: Chain; log: ChainTestWorld['log'] }> = {}) => ({
  db: world.watcher,
  chain: world.chain,
  clock: world.clock,
  log: world.log,
  ...over,
})

const takeNow = (chain: Chain = world.chain, pageSize = 3): Promise<ReserveComparison> =>
  takeSnapshot(
    { db: world.watcher, chain },
    { treasury: signer.treasury.address, cold: [], notBefore: 0n, now: world.clock.now(), pageSize },
  )

/** Takes snapshots continuously until some work is done. */
async function snapshotsWhile(work: Promise<unknown>): Promise<ReserveComparison[]> {
  const snapshots: ReserveComparison[] = []
  const running = { done: false }
  const finished = work.finally(() => {
    running.done = true
  })
  while (!running.done) snapshots.push(await takeNow())
  await finished
  return snapshots
}

/** The watcher's snapshot at a newer slot than the last one. */
async function watched(over: Parameters<typeof deps>[0] = {}): Promise<ReserveSnapshot> {
  let snapshot: ReserveSnapshot | null = null
  await waitUntil(async () => (snapshot = await watchSolvency(deps(over))) !== null)
  return snapshot!
}

/** A chain that shows `amount` less in the treasury than it holds. */
const robbed = (amount: bigint): Chain => ({
  ...world.chain,
  async tokenBalances(accounts, of) {
    const { slot, amounts } = await world.chain.tokenBalances(accounts, of)
    const at = accounts.indexOf(signer.treasuryTokens)
    return { slot, amounts: amounts.map((each, index) => (index === at ? each - amount : each)) }
  },
})

test('funding from a later slot than the snapshot does not count as missing tokens', async () => {
  const [funding] = await runQuery<{ slot: bigint }>(
    world.owner,
    `select (detail ->> 'slot')::bigint as slot from journals where kind = 'funding'`,
  )
  const emptyAt = (slot: bigint): Chain => ({
    ...world.chain,
    tokenBalances: async (accounts) => ({ slot, amounts: accounts.map(() => 0n) }),
  })
  const pool = cotton(100_000_000)
  expect(await takeNow(emptyAt(funding!.slot - 1n))).toMatchObject({ surplus: 0n, creditedAhead: pool })
  expect(await takeNow(emptyAt(funding!.slot))).toMatchObject({ surplus: -pool, creditedAhead: 0n })
  await waitUntil(async () => (await world.tokenBalanceOf(signer.treasury.address)) === pool)
  await waitUntil(async () => (await world.chain.slot('finalized')) >= funding!.slot)
  expect(await takeNow()).toMatchObject({ surplus: 0n, free: 0n, creditedAhead: 0n, treasury: pool })
})

/** Whether there are snapshots of sweeps from deposit accounts, and of payouts that have landed and are not settled. */
const showMovement = (snapshots: readonly ReserveComparison[]): boolean =>
  new Set(snapshots.map((snapshot) => snapshot.depositAccounts)).size > 1 &&
  snapshots.some((snapshot) => snapshot.inFlight !== 0n)

test('concurrent sweeps and payouts change no snapshot by a single unit', async () => {
  const runs: ReserveComparison[][] = []
  // On a busy machine a run may have no snapshot in such a moment.
  do {
    const players = await Promise.all(
      [40, 50, 60, 70, 80].map((deposited) => createPlayerWith(world, { deposited })),
    )
    const work = async (): Promise<void> => {
      for (const player of players) await withdraw(world, player, cotton(30))
      await runUntilSettled(world, signer, players)
      await sweepDeposits(signer)
    }
    runs.push(await snapshotsWhile(work()))
  } while (!runs.some(showMovement))
  const snapshots = runs.flat()
  expect(snapshots.length).toBeGreaterThan(10)
  expect(new Set(snapshots.map((snapshot) => snapshot.surplus))).toEqual(new Set([0n]))
  // A sweep that may have landed never increases the free tokens.
  for (const { free } of snapshots) expect(free).toBeLessThanOrEqual(0n)
  expect((await takeNow()).free).toBe(0n)
})

test('deposits that are credited and swept concurrently never count as missing or as free tokens', async () => {
  const round = createSigningRound(signer)
  const credit = async (amount: number): Promise<void> => {
    const wallet = await world.wallet()
    const address = (await takeDepositAddress(world.api, { wallet: wallet.address, now: world.clock.now() }))!
    await world.waitUntilFinal(await world.gift(wallet.address, cotton(3 * amount)))
    for (let times = 0; times < 3; times++) {
      const signature = await world.transfer(wallet, address.owner, cotton(amount))
      await world.waitUntilFinal(signature)
      await creditDeposits({ db: world.watcher, chain: world.chain, clock: world.clock }, address)
      await Promise.all([sweepDeposits(signer), round()])
    }
  }
  const snapshots = await snapshotsWhile(Promise.all([5, 6, 7, 8].map(credit)))
  expect(snapshots.length).toBeGreaterThan(10)
  for (const { surplus, free } of snapshots) {
    expect(surplus).toBeGreaterThanOrEqual(0n)
    expect(surplus).toBeLessThanOrEqual(cotton(3 * (5 + 6 + 7 + 8)))
    expect(free).toBeLessThanOrEqual(0n)
  }
  await waitUntil(async () => (await takeNow()).surplus === 0n)
})

test('a snapshot reads accounts that are not empty, one call per page, and no others', async () => {
  const filled = await runQuery<{ account: string }>(
    world.owner,
    // A sweep may be signed twice at once; the second one stays open until its blockhash has expired.
    `select token_account as account from deposit_addresses a where wallet is not null and (
       (select coalesce(sum(amount), 0) from receipts r where r.token_account = a.token_account and state = 'credited')
       <> (select coalesce(sum(amount), 0) from sweeps s where s.token_account = a.token_account and state = 'finalized')
       or exists (select from sweeps s where s.token_account = a.token_account and s.state = 'signed'))`,
  )
  const pages: string[][] = []
  const slots = { asked: [] as bigint[], answered: [] as bigint[] }
  await takeNow({
    ...world.chain,
    async tokenBalances(accounts, of) {
      pages.push([...accounts])
      slots.asked.push(of!.notBefore!)
      const balances = await world.chain.tokenBalances(accounts, of)
      slots.answered.push(balances.slot)
      return balances
    },
  })
  expect(slots.asked).toEqual([0n, ...slots.answered.slice(0, -1)])
  expect(pages.flat().toSorted()).toEqual(
    [...filled.map(({ account }) => account), signer.treasuryTokens].toSorted(),
  )
  expect(pages).toHaveLength(Math.ceil((filled.length + 1) / 3))
  expect(pages.at(-1)!.at(-1)).toBe(signer.treasuryTokens)
})

async function readLane() {
  const lanes = 'select nonce_account as "nonceAccount" from lanes limit 1'
  const [lane] = await runQuery<{ nonceAccount: Address }>(world.owner, lanes)
  const { nonceAccount } = lane!
  return { nonceAccount, nonce: (await world.chain.nonceValue(nonceAccount, 'finalized'))! }
}

test('a payout that landed as a replacement counts like any other', async () => {
  const player = await createPlayerWith(world, { deposited: 20 })
  const { id } = await withdraw(world, player, cotton(20))
  const of = { token: world.chain.facts, treasury: signer.treasury, lane: await readLane() }
  const pay = (unitPriceMicrolamports: bigint) =>
    buildPayout({ ...of, wallet: player.signer.address, amount: cotton(20), id, unitPriceMicrolamports })
  const [first, second] = await Promise.all([pay(0n), pay(1_000n)])
  const insertPayout = 'insert into payouts (withdrawal_id, signature, signed_at) values ($1, $2, now())'
  await runQuery(world.owner, insertPayout, [id, first.signature])
  await runQuery(
    world.owner,
    `insert into payout_replacements (withdrawal_id, attempt, signature, wire, unit_price, signed_at)
     values ($1, 2, $2, '', 1000, now())`,
    [id, second.signature],
  )
  await runQuery(world.owner, `update withdrawals set state = 'sent' where id = $1`, [id])
  await world.chain.send(second.wire)
  await world.waitUntilFinal(second.signature)
  expect(await takeNow()).toMatchObject({ surplus: 0n, inFlight: cotton(20), uncertain: 0n })
  const { now } = world.clock
  await world.owner.transaction((tx) =>
    settleWithdrawal(tx, { id, wallet: player.address, now: now(), signature: second.signature }),
  )
  expect(await takeNow()).toMatchObject({ surplus: 0n, inFlight: 0n })
  // A node that shows the moment before it, when the tokens were still in the treasury.
  const [status] = await world.chain.statuses([second.signature])
  const early: Chain = {
    ...world.chain,
    tokenBalances: async (...of) => ({
      slot: status!.slot - 1n,
      amounts: (await robbed(-cotton(20)).tokenBalances(...of)).amounts,
    }),
  }
  expect(await takeNow(early)).toMatchObject({ surplus: 0n, inFlight: -cotton(20) })
})

test('a deposit that arrives between two pages of a snapshot is not missing', async () => {
  const { address } = await createPlayerWith(world, { deposited: 30 })
  const [deposit] = await runQuery<{ account: string; slot: bigint }>(
    world.owner,
    `select token_account as account, slot from receipts where wallet = $1`,
    [address],
  )
  const early: Chain = {
    ...world.chain,
    async tokenBalances(accounts, of) {
      const balances = await world.chain.tokenBalances(accounts, of)
      if (accounts[0] !== deposit!.account) return balances
      return { slot: deposit!.slot - 1n, amounts: [balances.amounts[0]! - cotton(30)] }
    },
  }
  expect(await takeNow(early, 1)).toMatchObject({
    surplus: 0n,
    creditedAhead: cotton(30),
  })
})

test('a page may be some slots behind the one before, but not the last one', async () => {
  for (const deposited of [5, 6]) await createPlayerWith(world, { deposited })
  const take = (lagOf: (accounts: readonly Address[], page: number) => bigint) => {
    let [page, newest] = [0, 0n]
    const tokenBalances: Chain['tokenBalances'] = async (accounts, of) => {
      const { slot: now, amounts } = await world.chain.tokenBalances(accounts, of)
      const lag = lagOf(accounts, ++page)
      const slot = lag > 0n ? newest - lag : now
      if (slot < of.notBefore) throw new ChainUnavailable('this machine is behind')
      if (slot > newest) newest = slot
      return { slot, amounts }
    }
    return takeNow({ ...world.chain, tokenBalances }, 1)
  }
  expect((await take((_, page) => (page === 2 ? 32n : 0n))).slot).toBeGreaterThan(0n)
  const tooOld = take((_, page) => (page === 2 ? 33n : 0n))
  await expect(tooOld).rejects.toThrow(ChainUnavailable)
  const isLast = (accounts: readonly Address[]) => accounts.includes(signer.treasuryTokens)
  const oldTreasury = take((accounts) => (isLast(accounts) ? 1n : 0n))
  await expect(oldTreasury).rejects.toThrow(ChainUnavailable)
  // Newer than the page before it, and older than the first.
  const between = take((accounts, page) => (isLast(accounts) ? 1n : page > 1 ? 32n : 0n))
  await expect(between).rejects.toThrow(ChainUnavailable)
})

test('pages are filled, and the treasury is in the last one with cold storage', () => {
  const pages = (deposits: string, together = 'tu') =>
    pagesOf([...deposits] as Address[], { together: [...together] as Address[], pageSize: 3 }).map((page) =>
      page.join(''),
    )
  expect(pages('')).toEqual(['tu'])
  expect(pages('a')).toEqual(['atu'])
  expect(pages('ab')).toEqual(['ab', 'tu'])
  expect(pages('abcd')).toEqual(['abc', 'dtu'])
  expect(pages('abcdefgh')).toEqual(['abc', 'def', 'gh', 'tu'])
  // What has to be read at one slot stays together, even if it is more than a page.
  expect(pages('ab', 'tuvw')).toEqual(['ab', 'tuvw'])
})

test('missing tokens pause withdrawals at the second snapshot, and only an operator resumes them', async () => {
  const logged: { level: number; msg: string }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  expect(await watched({ log })).toMatchObject({ surplus: 0n, shortSince: null, confirmed: false })
  const thief = { chain: robbed(1n), log }
  expect(await watched(thief)).toMatchObject({ surplus: -1n, confirmed: false })
  expect(await readPause(world.api)).toBeNull()
  expect(await watched(thief)).toMatchObject({ surplus: -1n, confirmed: true })
  const pause = await readPause(world.api)
  expect(pause!.why).toBe('There are fewer tokens than the game owes.')
  expect(logged.filter(({ level }) => level === 50)).toHaveLength(1)
  await watched(thief)
  expect(await readPause(world.api)).toEqual(pause)
  await expect(
    createPlayerWith(world, { deposited: 5 }).then((ana) => withdraw(world, ana, cotton(5))),
  ).rejects.toThrow('withdrawals_paused')
  await resumeWithdrawals(world.owner)
  await watched(thief)
  expect(await readPause(world.api)).not.toBeNull()
  expect(await watched({ log })).toMatchObject({ surplus: 0n, shortSince: null, confirmed: false })
  expect(await readPause(world.api)).not.toBeNull()
  await resumeWithdrawals(world.owner)
})

test('tokens that the treasury’s key sent elsewhere count as missing', async () => {
  const thief = await world.wallet()
  const amount = cotton(12)
  const stolen = await buildPayout({
    token: world.chain.facts,
    treasury: signer.treasury,
    lane: await readLane(),
    wallet: thief.signer.address,
    amount,
    id: '00000000-0000-4000-8000-000000000000',
  })
  await world.chain.send(stolen.wire)
  await world.waitUntilFinal(stolen.signature)
  await watched()
  expect(await watched()).toMatchObject({ surplus: -amount, confirmed: true })
  await world.waitUntilFinal(await world.gift(signer.treasury.address, amount))
  await waitUntil(async () => (await watched()).surplus === 0n)
  expect(await readPause(world.api)).not.toBeNull()
  await resumeWithdrawals(world.owner)
})

test('a shortage that a lagging node could explain is confirmed only after a minute', () => {
  const now = new Date('2026-01-05T12:00:00.000Z')
  const later = (ms: number) => new Date(now.getTime() + ms)
  const first = assessShortage({ surplus: -5n, uncertain: 5n }, { before: null, now })
  expect(first).toEqual({ shortSince: now, confirmed: false })
  const lag = { surplus: -5n, uncertain: 5n }
  expect(assessShortage(lag, { before: first, now: later(59_000) }).confirmed).toBe(false)
  expect(assessShortage(lag, { before: first, now: later(60_000) }).confirmed).toBe(true)
  expect(
    assessShortage({ surplus: -6n, uncertain: 5n }, { before: first, now: later(2_000) }).confirmed,
  ).toBe(true)
  expect(assessShortage({ surplus: 0n, uncertain: 5n }, { before: first, now: later(2_000) })).toEqual({
    shortSince: null,
    confirmed: false,
  })
})

test('no snapshot is stored while the chain shows no new slot, and an old snapshot counts as unseen', async () => {
  const { slot } = await watched()
  const still: Chain = {
    ...world.chain,
    tokenBalances: async (accounts, of) => ({ ...(await world.chain.tokenBalances(accounts, of)), slot }),
  }
  expect(await watchSolvency(deps({ chain: still }))).toBeNull()
  const snapshot = (await readSnapshot(world.api))!
  expect(snapshot.slot).toBe(slot)
  expect(standingOf(snapshot, world.clock.now())).toBe('covered')
  expect(standingOf(snapshot, new Date(snapshot.at.getTime() + 60_001 + 10 * snapshot.tookMs))).toBe('unseen')
  expect(standingOf(snapshot, new Date(snapshot.at.getTime() - 60_001 - 10 * snapshot.tookMs))).toBe('unseen')
  expect(standingOf(null, world.clock.now())).toBe('unseen')
})

test('the supply is recorded while no node answers', async () => {
  const tokenBalances: Chain['tokenBalances'] = async () => {
    throw new ChainUnavailable('No Solana node answers')
  }
  const round = runSolvencyRound(deps({ chain: { ...world.chain, tokenBalances } }))
  await expect(round).rejects.toThrow(ChainUnavailable)
  expect(await runQuery(world.owner, 'select from supply_history')).toHaveLength(1)
})

test('a check measures the newest finalized slot', async () => {
  const measured: Measurement[] = []
  const stop = onMeasurement((measurement) => void measured.push(measurement))
  const { slot } = await watched()
  stop()
  expect(measured).toContainEqual(expect.objectContaining({ of: 'slot', slot }))
})

test('a watcher that was paused does not replace the snapshot of the one that has taken over', async () => {
  const { slot } = await watched()
  await waitUntil(async () => (await world.chain.slot('finalized')) > slot)
  const stored: ReserveSnapshot[] = []
  const paused: Chain = {
    ...world.chain,
    async tokenBalances(accounts, of) {
      const balances = await world.chain.tokenBalances(accounts, of)
      if (stored.length === 0) stored.push(await watched({ chain: robbed(1n) }))
      return balances
    },
  }
  expect(await watchSolvency(deps({ chain: paused }))).toBeNull()
  expect(stored).toHaveLength(1)
  expect(await readSnapshot(world.api)).toMatchObject({ slot: stored[0]!.slot, surplus: -1n })
  expect(await watched()).toMatchObject({ surplus: 0n, shortSince: null })
})

test('the watcher can pause withdrawals and change no other setting; the api cannot pause', async () => {
  const why = { why: 'x', now: world.clock.now() }
  await expect(pauseWithdrawals(world.api, why)).rejects.toThrow('permission denied')
  for (const change of [
    `insert into settings (name, value) values ('chain', '{}')`,
    `update settings set value = '{}'`,
    `delete from settings`,
    `update solvency set at = now()`,
  ]) {
    await expect(runQuery(change.includes('solvency') ? world.api : world.watcher, change)).rejects.toThrow(
      'permission denied',
    )
  }
})
