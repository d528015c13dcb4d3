import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { type Chain, ChainUnavailable, type Signature } from '#server/chain/port.ts'
import { creditMissedDeposits } from '#server/ops/credit-missed-deposits.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { type Depositor, createDepositor, scanAddress } from '#tests/support/depositors.ts'
import { runQuery, readCreditOf, type TestWallet } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { compareAllBalances } from './watch-balances.ts'
import { newWatchProgress, watchRound } from './watch-deposits.ts'

const world = setUpChainTestWorld()

const deposited = async ({ address }: TestWallet) => (await readCreditOf(world.owner, address)).deposited

async function sendMany({ wallet, address }: Depositor, count: number): Promise<Signature[]> {
  const signatures: Signature[] = []
  const send = async (): Promise<void> => {
    while (signatures.length < count) {
      const at = signatures.push('' as Signature) - 1
      signatures[at] = await world.transfer(wallet, address.owner, cotton(1))
    }
  }
  await Promise.all(Array.from({ length: 8 }, send))
  for (const signature of signatures.slice(-8)) await world.waitUntilFinal(signature)
  return signatures
}

test('more deposits than a node returns per page are all credited, each once', async () => {
  const player = await createDepositor(world, 130)
  await sendMany(player, 130)
  const smallPages: Chain = {
    ...world.chain,
    history: (address, query) => world.chain.history(address, { ...query, limit: 50 }),
  }
  await scanAddress(world, player.address, { chain: smallPages })
  expect(await deposited(player.wallet)).toBe(cotton(130))
  await scanAddress(world, player.address, { chain: smallPages })
  expect(await deposited(player.wallet)).toBe(cotton(130))
})

test('a transaction that no node returns is not skipped, and does not delay later ones', async () => {
  const player = await createDepositor(world, 6)
  const signatures: Signature[] = []
  for (let i = 0; i < 6; i++) {
    signatures.push(await world.transfer(player.wallet, player.address.owner, cotton(1)))
    await world.waitUntilFinal(signatures.at(-1)!)
  }
  const [, hidden] = signatures
  const lagging: Chain = {
    ...world.chain,
    receipt: (signature, ...args) =>
      signature === hidden ? Promise.resolve(null) : world.chain.receipt(signature, ...args),
  }
  for (let i = 0; i < 2; i++) await scanAddress(world, player.address, { chain: lagging })
  expect(await deposited(player.wallet)).toBe(cotton(5))
  await scanAddress(world, player.address)
  expect(await deposited(player.wallet)).toBe(cotton(6))
})

test('a deposit in a gap of a node’s history is credited once by reconcile, though the cursor has passed it', async () => {
  const player = await createDepositor(world, 5)
  const hidden = await world.transfer(player.wallet, player.address.owner, cotton(2))
  await world.waitUntilFinal(hidden)
  await world.waitUntilFinal(await world.transfer(player.wallet, player.address.owner, cotton(3)))
  // As of a node that was started again from a newer snapshot.
  const withGap: Chain = {
    ...world.chain,
    history: async (address, query) =>
      (await world.chain.history(address, query)).filter(({ signature }) => signature !== hidden),
  }
  await scanAddress(world, player.address, { chain: withGap })
  await scanAddress(world, player.address)
  expect(await deposited(player.wallet)).toBe(cotton(3))
  for (let i = 0; i < 2; i++) {
    await creditMissedDeposits({ db: world.owner, clock: world.clock }, world.chain)
    expect(await deposited(player.wallet)).toBe(cotton(5))
  }
})

test('reconcile does not read the final slot for each address', async () => {
  let reads = 0
  const slot: Chain['slot'] = (...args) => {
    reads += 1
    return world.chain.slot(...args)
  }
  for (let i = 0; i < 2; i++) await createDepositor(world, 1)
  await creditMissedDeposits({ db: world.owner, clock: world.clock }, { ...world.chain, slot })
  // Once before the histories, and once before the balances are compared.
  expect(reads).toBe(2)
})

test('after a page fails, the next scan continues at the stored cursor', async () => {
  const player = await createDepositor(world, 9)
  await sendMany(player, 9)
  let pages = 0
  const failing: Chain = {
    ...world.chain,
    history: (address, query) => {
      if (++pages === 3) throw new ChainUnavailable('no answer in time')
      return world.chain.history(address, { ...query, limit: 2 })
    },
  }
  await expect(scanAddress(world, player.address, { chain: failing })).rejects.toBeInstanceOf(
    ChainUnavailable,
  )
  await scanAddress(world, player.address, { chain: failing })
  expect(await deposited(player.wallet)).toBe(cotton(9))
})

test('an address that no node can read does not delay the others', async () => {
  const [broken, ...others] = await Promise.all(Array.from({ length: 12 }, () => createDepositor(world, 2)))
  for (const { wallet, address } of [broken!, ...others]) {
    await world.waitUntilFinal(await world.transfer(wallet, address.owner, cotton(2)))
  }
  const poisoned: Chain = {
    ...world.chain,
    history: (address, query) =>
      address === broken!.address.tokenAccount
        ? Promise.reject(new ChainUnavailable('a malformed response'))
        : world.chain.history(address, query),
  }
  const deps = { db: world.watcher, clock: world.clock, log: world.log }
  const stopping = new AbortController().signal
  const progress = newWatchProgress(1)
  await compareAllBalances({ ...deps, chain: poisoned }, { progress, stopping })
  await watchRound({ ...deps, chain: poisoned }, { progress, stopping })
  for (const { wallet } of others) expect(await deposited(wallet)).toBe(cotton(2))
  expect(await deposited(broken!.wallet)).toBe(0n)
  await watchRound({ ...deps, chain: world.chain }, { progress, stopping })
  expect(await deposited(broken!.wallet)).toBe(cotton(2))
})

test('reconcile ends early if no node shows any history', async () => {
  let calls = 0
  const history: Chain['history'] = () => {
    calls += 1
    return Promise.reject(new ChainUnavailable('no answer in time'))
  }
  const deps = { db: world.owner, clock: world.clock }
  await expect(creditMissedDeposits(deps, { ...world.chain, history })).rejects.toBeInstanceOf(StartupError)
  expect(calls).toBe(8)
})

test('a round ends early if no node answers at all', async () => {
  let calls = 0
  const dead: Chain = {
    ...world.chain,
    slot: () => {
      calls += 1
      return Promise.reject(new ChainUnavailable('no answer in time'))
    },
  }
  const [count] = await runQuery<{ addresses: number }>(
    world.owner,
    'select count(*)::int as addresses from deposit_addresses where wallet is not null',
  )
  expect(count!.addresses).toBeGreaterThan(12)
  const deps = { db: world.watcher, clock: world.clock, log: world.log, chain: dead }
  const round = watchRound(deps, { progress: newWatchProgress(1), stopping: new AbortController().signal })
  await expect(round).rejects.toBeInstanceOf(ChainUnavailable)
  expect(calls).toBeLessThan(12)
})
