import { beforeAll, expect, test, vi } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { type Chain, ChainUnavailable, type Wire } from '#server/chain/port.ts'
import { creditDeposits } from '#server/deposits/credit-deposits.ts'
import { takeDepositAddress } from '#server/deposits/take-address.ts'
import { createPlayerWith } from '#tests/support/chain-test-players.ts'
import { runQuery, readCreditOf, waitUntil } from '#tests/support/chain-test-world.ts'
import { createNode } from '#tests/support/nodes.ts'
import { unitPriceOf } from '#tests/support/payouts.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import type { Signer } from '../signer.ts'
import { createSigningRound } from '../start-signer.ts'
import { sweepDeposits } from './sweep-deposits.ts'

const world = setUpChainTestWorld()
let signer: Signer

beforeAll(async () => {
  signer = await world.newSigner()
  await waitUntil(async () => (await treasury()) > 0n)
})

const addressOf = async (wallet: string) =>
  (await takeDepositAddress(world.api, { wallet, now: world.clock.now() }))!

const treasury = () => world.chain.tokenBalance(signer.treasuryTokens, 'finalized')

async function sweepUntilDone(by: Signer = signer) {
  await waitUntil(async () => {
    await sweepDeposits(by)
    return (await runQuery(world.owner, `select from sweeps where state = 'signed'`)).length === 0
  })
}

test('a deposit is swept into the treasury once, and the ledger does not change', async () => {
  const wallet = await createPlayerWith(world, { deposited: 40 })
  const address = await addressOf(wallet.address)
  const [before, journals] = [await treasury(), await runQuery(world.owner, 'select id from journals')]
  await sweepUntilDone()
  expect(await world.tokenBalanceOf(address.owner)).toBe(0n)
  expect(await treasury()).toBe(before + cotton(40))
  await creditDeposits({ db: world.watcher, chain: world.chain, clock: world.clock }, address)
  expect((await readCreditOf(world.owner, wallet.address)).deposited).toBe(cotton(40))
  expect(await runQuery(world.owner, 'select id from journals')).toHaveLength(journals.length)
  await sweepDeposits(signer)
  expect(
    await runQuery(world.owner, 'select from sweeps where token_account = $1', [address.tokenAccount]),
  ).toHaveLength(1)
})

test('dust is swept once enough has arrived, and is never lost', async () => {
  const wallet = await world.wallet()
  await world.waitUntilFinal(await world.gift(wallet.address, cotton(10)))
  const address = await addressOf(wallet.address)
  for (const units of [400_000n, 599_999n]) {
    await world.waitUntilFinal(
      await world.transfer(wallet, address.owner, units as ReturnType<typeof cotton>),
    )
    await creditDeposits({ db: world.watcher, chain: world.chain, clock: world.clock }, address)
    await sweepUntilDone()
    expect(await world.tokenBalanceOf(address.owner)).toBeGreaterThan(0n)
  }
  await world.waitUntilFinal(await world.transfer(wallet, address.owner, 1n as ReturnType<typeof cotton>))
  await creditDeposits({ db: world.watcher, chain: world.chain, clock: world.clock }, address)
  await sweepUntilDone()
  expect(await world.tokenBalanceOf(address.owner)).toBe(0n)
  expect((await readCreditOf(world.owner, wallet.address)).deposited).toBe(cotton(1))
  await world.waitUntilFinal(
    await world.transfer(wallet, address.owner, 500_000n as ReturnType<typeof cotton>),
  )
  await creditDeposits({ db: world.watcher, chain: world.chain, clock: world.clock }, address)
  await sweepUntilDone()
  expect(await world.tokenBalanceOf(address.owner)).toBe(500_000n)
})

/** What a sweep does from its first call to its last, on the database and on the chain. */
const CALLS = [
  'sweeps-read-open',
  'sweeps-read-page',
  'sweeps-read-candidates',
  'tokenAccounts',
  'sweeps-insert',
  'send',
  'sweeps-close',
]

/** A signer whose process ends after the named call. */
function crashAfter(name: string): { crashing: Signer; hasCrashed: () => boolean } {
  const { chain, db } = signer
  let crashed = false
  const answerOf = <Answer>(call: string, answer: Answer): Answer => {
    crashed ||= call === name
    if (crashed) throw new Error('crashed')
    return answer
  }
  const crashing: Signer = {
    ...signer,
    chain: {
      ...chain,
      send: async (...args) => answerOf('send', await chain.send(...args)),
      tokenAccounts: async (...args) => answerOf('tokenAccounts', await chain.tokenAccounts(...args)),
    },
    db: {
      ...db,
      rows: async (...args: Parameters<Signer['db']['rows']>) =>
        answerOf(args[0].name, await db.rows(...args)),
    } as Signer['db'],
  }
  return { crashing, hasCrashed: () => crashed }
}

test('a sweep that is interrupted at any call is completed by the next signer', async () => {
  const before = await treasury()
  for (const call of CALLS) {
    await createPlayerWith(world, { deposited: 3 })
    const { crashing, hasCrashed } = crashAfter(call)
    await waitUntil(async () => {
      await sweepDeposits(crashing).catch(() => {})
      return hasCrashed()
    })
    await sweepUntilDone()
  }
  expect(await treasury()).toBe(before + cotton(3 * CALLS.length))
})

test('a frozen account is not swept until it is thawed, and does not use up a round', async () => {
  const wallet = await createPlayerWith(world, { deposited: 5 })
  const { tokenAccount } = await addressOf(wallet.address)
  const swept = () => runQuery(world.owner, 'select from sweeps where token_account = $1', [tokenAccount])
  const frozen: Chain = {
    ...world.chain,
    tokenAccounts: async (accounts) =>
      (await world.chain.tokenAccounts(accounts)).map((account) => account && { ...account, frozen: true }),
  }
  await sweepDeposits({ ...signer, chain: frozen })
  expect(await swept()).toEqual([])
  await sweepUntilDone()
  expect(await swept()).toHaveLength(1)
})

test('nothing is swept into a frozen treasury until it is thawed', async () => {
  const wallet = await createPlayerWith(world, { deposited: 5 })
  const { tokenAccount } = await addressOf(wallet.address)
  const frozen: Chain = {
    ...world.chain,
    async tokenAccount(address, commitment) {
      const account = await world.chain.tokenAccount(address, commitment)
      return account && { ...account, frozen: address === signer.treasuryTokens }
    },
  }
  await sweepDeposits({ ...signer, chain: frozen })
  const swept = () => runQuery(world.owner, 'select from sweeps where token_account = $1', [tokenAccount])
  expect(await swept()).toHaveLength(0)
  await sweepUntilDone()
  expect(await swept()).toHaveLength(1)
})

test('one of several nodes that reports a lost sweep as finalized does not close it', async () => {
  const wallet = await createPlayerWith(world, { deposited: 5 })
  const { tokenAccount } = await addressOf(wallet.address)
  const states = async () =>
    (
      await runQuery<{ state: string }>(world.owner, 'select state from sweeps where token_account = $1', [
        tokenAccount,
      ])
    ).map((each) => each.state)
  const lost: Chain = { ...world.chain, send: async () => ({ state: 'unknown', detail: 'lost' }) }
  await sweepDeposits({ ...signer, chain: lost })
  for (const failed of [false, true]) {
    const statuses: Chain['statuses'] = async (of) =>
      of.map(() => ({ slot: 1n, commitment: 'finalized', failed }))
    const nodes = [createNode(world.chain, { statuses }), createNode(world.chain)]
    await sweepDeposits({ ...signer, chain: { ...lost, statuses, nodes } })
    expect(await states()).toEqual(['signed'])
  }
  await sweepUntilDone()
  expect(await states()).toEqual(['finalized'])
  expect(await world.chain.tokenBalance(tokenAccount, 'finalized')).toBe(0n)
})

test('a sweep that can no longer land is marked failed, and a new one replaces it', async () => {
  const wallet = await createPlayerWith(world, { deposited: 5 })
  const address = await addressOf(wallet.address)
  const before = await treasury()
  const silent: Signer = {
    ...signer,
    chain: { ...world.chain, send: async () => ({ state: 'unknown', detail: 'lost' }) },
  }
  await sweepDeposits(silent)
  await runQuery(world.owner, `update sweeps set last_valid_height = 0 where token_account = $1`, [
    address.tokenAccount,
  ])
  await sweepUntilDone()
  expect(await treasury()).toBe(before + cotton(5))
  const states = await runQuery<{ state: string }>(
    world.owner,
    'select state from sweeps where token_account = $1 order by at',
    [address.tokenAccount],
  )
  expect(states.map((each) => each.state)).toEqual(['failed', 'finalized'])
})

test('a node that names a height which is never reached does not end the sweeps of an account', async () => {
  const wallet = await createPlayerWith(world, { deposited: 5 })
  const { tokenAccount } = await addressOf(wallet.address)
  const lying: Chain = {
    ...world.chain,
    latestBlockhash: async (commitment) => ({
      ...(await world.chain.latestBlockhash(commitment)),
      lastValidBlockHeight: 2n ** 64n - 1n,
    }),
    send: async () => ({ state: 'unknown', detail: 'lost' }),
  }
  const heights = () =>
    runQuery<{ height: bigint }>(
      world.owner,
      'select last_valid_height as height from sweeps where token_account = $1',
      [tokenAccount],
    )
  const silent = async () => Promise.reject(new ChainUnavailable('no answer in time'))
  const nodes = [createNode(world.chain), createNode(world.chain, { blockHeight: silent })]
  await sweepDeposits({ ...signer, chain: { ...lying, nodes } })
  expect(await heights()).toEqual([])
  const highest = createNode(world.chain, { blockHeight: async () => 2n ** 62n })
  await sweepDeposits({ ...signer, chain: { ...lying, nodes: [highest, ...nodes, createNode(world.chain)] } })
  const [signed] = await heights()
  expect(signed!.height).toBeLessThan((await world.chain.blockHeight('processed')) + 11_000n)
  await runQuery(world.owner, `update sweeps set last_valid_height = 0 where state = 'signed'`)
  await sweepUntilDone()
})

test('a sweep offers the price that others pay, up to the cap', async () => {
  const wallet = await createPlayerWith(world, { deposited: 5 })
  const { tokenAccount } = await addressOf(wallet.address)
  const sent: Wire[] = []
  const crowded: Chain = {
    ...world.chain,
    unitPrice: async () => 10n ** 12n,
    send: async (wire, options) => {
      sent.push(wire)
      return world.chain.send(wire, options)
    },
  }
  await sweepUntilDone({ ...signer, chain: crowded })
  expect(await world.chain.tokenBalance(tokenAccount, 'finalized')).toBe(0n)
  expect(new Set(sent.map(unitPriceOf))).toEqual(new Set([signer.settings.maxUnitPriceMicrolamports]))
})

test('a sweep whose first send was lost is sent again with the same bytes', async () => {
  const wallet = await createPlayerWith(world, { deposited: 5 })
  const { tokenAccount } = await addressOf(wallet.address)
  const lost: Signer = {
    ...signer,
    chain: { ...world.chain, send: async () => ({ state: 'unknown', detail: 'lost' }) },
  }
  await sweepDeposits(lost)
  const rows = () =>
    runQuery<{ signature: string; state: string }>(
      world.owner,
      'select signature, state from sweeps where token_account = $1',
      [tokenAccount],
    )
  const [signed] = await rows()
  await sweepUntilDone()
  expect(await rows()).toEqual([{ signature: signed!.signature, state: 'finalized' }])
})

/** Players with deposit addresses after this index. By the books alone, the first of them were credited 5 $COTTON each. */
async function addDepositors(
  name: string,
  {
    count,
    after,
    credited = count,
    creditedIn = '0',
  }: { count: number; after: number; credited?: number; creditedIn?: string },
): Promise<void> {
  await runQuery(
    world.owner,
    `insert into deposit_addresses (index, owner, token_account, wallet, assigned_at)
     select $3::integer + n, $1::text || '-owner-' || n, $1 || '-account-' || n, $1 || '-wallet-' || n, now() from generate_series(1, $2::integer) n`,
    [name, count, after],
  )
  await runQuery(
    world.owner,
    `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, seen_at, credited_at, journal_id)
     select $1::text || '-deposit-' || n, $1 || '-account-' || n, $1 || '-wallet-' || n, 'cotton', 5000000, 1, 'credited', now(),
       now() + $3::interval, gen_random_uuid()
     from generate_series(1, $2::integer) n`,
    [name, credited, creditedIn],
  )
}

test('while more deposits wait than one round sweeps, the next round sweeps, too, up to 80 in flight', async () => {
  await addDepositors('full', { count: 130, after: 1_000 })
  const full = await world.chain.tokenAccount(signer.treasuryTokens, 'finalized')
  const isReal = (account: string) => !account.startsWith('full')
  let available = true
  const blockHeight = vi.fn(async () => 0n)
  const statuses = vi.fn(world.chain.statuses)
  const latestBlockhash = vi.fn(world.chain.latestBlockhash)
  // No sweep lands, and none expires.
  const chain: Chain = {
    ...world.chain,
    nodes: [createNode(world.chain, { blockHeight, statuses })],
    latestBlockhash,
    send: async () => ({ state: 'unknown', detail: 'lost' }),
    async tokenAccounts(accounts) {
      if (!available && !accounts.every(isReal)) throw new ChainUnavailable('no node answers')
      const rest = [...(await world.chain.tokenAccounts(accounts.filter(isReal)))]
      return accounts.map((account) => (isReal(account) ? rest.shift()! : full))
    },
  }
  const round = createSigningRound({ ...signer, chain })
  const inFlight: number[] = []
  for (let rounds = 0; rounds < 6; rounds++) {
    await round()
    inFlight.push((await runQuery(world.owner, `select from sweeps where state = 'signed'`)).length)
  }
  expect(inFlight).toEqual([20, 40, 60, 80, 80, 80])

  // A node is asked about all sweeps at once, and all that are signed at once have one blockhash.
  const countCalls = async () => {
    for (const call of [blockHeight, statuses, latestBlockhash]) call.mockClear()
    await sweepDeposits({ ...signer, chain })
    return [blockHeight, statuses, latestBlockhash].map(({ mock }) => mock.calls.length)
  }
  expect(await countCalls()).toEqual([1, 2, 0])
  await runQuery(world.owner, `update sweeps set state = 'failed' where state = 'signed'`)
  expect(await countCalls()).toEqual([1, 0, 1])
  await runQuery(world.owner, `update sweeps set state = 'failed' where state = 'signed'`)
  // A round whose sweeps fail is followed by rounds without: payouts wait for rounds that fail.
  const next = createSigningRound({ ...signer, chain })
  await next()
  available = false
  await expect(next()).rejects.toThrow('no node answers')
  await next()
  await runQuery(world.owner, `delete from receipts where signature like 'full-deposit-%'`)
  await runQuery(world.owner, `update sweeps set state = 'failed' where state = 'signed'`)
})

test('every address is checked in rotation, and one round checks a limited number', async () => {
  const wallet = await createPlayerWith(world, { deposited: 5 })
  const { tokenAccount } = await addressOf(wallet.address)
  // A thousand lower addresses that never received anything, and 600 newer deposits that were already swept.
  await addDepositors('swept', { count: 1_600, after: 1_000_000_000, credited: 600, creditedIn: '1 day' })
  await runQuery(
    world.owner,
    `insert into sweeps (id, token_account, amount, signature, wire, last_valid_height, state, at)
     select gen_random_uuid(), 'swept-account-' || n, 5000000, 'sweep-' || n, '', 0, 'finalized', now() from generate_series(1, 600) n`,
  )
  await runQuery(world.owner, 'update deposit_addresses set index = 2000000000 where token_account = $1', [
    tokenAccount,
  ])
  const swept = async () =>
    (await runQuery(world.owner, 'select from sweeps where token_account = $1', [tokenAccount])).length
  const fresh = await world.newSigner()
  await sweepDeposits({
    ...fresh,
    chain: { ...world.chain, send: async () => ({ state: 'unknown', detail: 'lost' }) },
  })
  expect(await swept()).toBe(0)
  expect(fresh.sweepCursor.from).toBeGreaterThan(0)
  for (let round = 0; round < 4; round++) await sweepDeposits(fresh)
  expect(await swept()).toBe(1)
  expect(fresh.sweepCursor.from).toBe(0)
})

test('accounts that hold tokens by the database and none on the chain do not use up a round', async () => {
  const wallet = await createPlayerWith(world, { deposited: 5 })
  const { tokenAccount } = await addressOf(wallet.address)
  await addDepositors('empty', { count: 130, after: 0 })
  const { tokenAccounts } = world.chain
  const isReal = (account: string) => !account.startsWith('empty')
  const chain: Chain = {
    ...world.chain,
    async tokenAccounts(accounts) {
      const rest = [...(await tokenAccounts(accounts.filter(isReal)))]
      return accounts.map((account) => (isReal(account) ? rest.shift()! : null))
    },
  }
  await sweepDeposits({ ...signer, chain })
  expect(
    await runQuery(world.owner, 'select from sweeps where token_account = $1', [tokenAccount]),
  ).toHaveLength(1)
  await runQuery(world.owner, `delete from receipts where signature like 'empty-deposit-%'`)
})
