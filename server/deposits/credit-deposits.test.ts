import { expect, test } from 'vitest'
import { baseUnits, cotton } from '#game/cotton.ts'
import type { Chain } from '#server/chain/port.ts'
import { createDepositor, scanAddress } from '#tests/support/depositors.ts'
import { runQuery, readCreditOf } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { checkDeposit } from './check-deposit.ts'
import { type DepositAddress, takeDepositAddress } from './take-address.ts'
import { newWatchProgress, watchRound } from './watch-deposits.ts'

const world = setUpChainTestWorld()

const take = (wallet: string) => takeDepositAddress(world.api, { wallet, now: world.clock.now() })

const receiptsOf = (address: DepositAddress) =>
  runQuery<{ asset: string; state: string; amount: string }>(
    world.owner,
    'select asset, state, amount::text from receipts where wallet = $1 order by seen_at, signature',
    [address.wallet],
  )

test('a deposit is pending until it is final, and then credited', async () => {
  const { wallet, address } = await createDepositor(world)
  const signature = await world.transfer(wallet, address.owner, cotton(70))
  const early: Chain = {
    ...world.chain,
    history: async (of, query) =>
      (await world.chain.history(of, query)).map((item) => ({ ...item, commitment: 'confirmed' as const })),
  }
  await world.waitUntilFinal(signature)
  await scanAddress(world, address, { chain: early })
  expect(await receiptsOf(address)).toEqual([{ asset: 'cotton', state: 'pending', amount: '70000000' }])
  expect((await readCreditOf(world.owner, wallet.address)).deposited).toBe(0n)

  await scanAddress(world, address)
  expect(await receiptsOf(address)).toEqual([{ asset: 'cotton', state: 'credited', amount: '70000000' }])
  expect(await readCreditOf(world.owner, wallet.address)).toEqual({ deposited: cotton(70), earned: 0n })
})

test('fifty concurrent scans credit a deposit once (A-25)', async () => {
  const { wallet, address } = await createDepositor(world)
  await world.waitUntilFinal(await world.transfer(wallet, address.owner, cotton(5)))
  await Promise.all(Array.from({ length: 50 }, () => scanAddress(world, address)))
  await scanAddress(world, address)
  expect((await readCreditOf(world.owner, wallet.address)).deposited).toBe(cotton(5))
})

test('a scan that lost its cursors credits nothing again', async () => {
  const { wallet, address } = await createDepositor(world)
  await world.waitUntilFinal(await world.transfer(wallet, address.owner, cotton(5)))
  await scanAddress(world, address)
  await runQuery(
    world.owner,
    'update deposit_addresses set cursor_signature = null, cursor_slot = 0, owner_cursor_signature = null, owner_cursor_slot = 0 where wallet = $1',
    [wallet.address],
  )
  await scanAddress(world, address)
  expect((await readCreditOf(world.owner, wallet.address)).deposited).toBe(cotton(5))
})

test('deposits that span several pages are all credited', async () => {
  const { wallet, address } = await createDepositor(world)
  const signatures = []
  for (let i = 1; i <= 7; i++) signatures.push(await world.transfer(wallet, address.owner, cotton(i)))
  for (const signature of signatures) await world.waitUntilFinal(signature)
  await scanAddress(world, address, { pageSize: 2 })
  expect((await readCreditOf(world.owner, wallet.address)).deposited).toBe(cotton(28))
})

test('a scan that is interrupted in the middle of a history skips nothing', async () => {
  const { wallet, address } = await createDepositor(world)
  for (let i = 1; i <= 5; i++)
    await world.waitUntilFinal(await world.transfer(wallet, address.owner, cotton(i)))
  let reads = 0
  const failing: Chain = {
    ...world.chain,
    receipt: (...args) =>
      ++reads === 3 ? Promise.reject(new Error('interrupted')) : world.chain.receipt(...args),
  }
  await expect(scanAddress(world, address, { chain: failing, pageSize: 2 })).rejects.toThrow('interrupted')
  const lagging: Chain = {
    ...world.chain,
    receipt: async (...args) => (++reads % 4 === 0 ? null : world.chain.receipt(...args)),
  }
  for (let i = 0; i < 6; i++) await scanAddress(world, address, { chain: lagging, pageSize: 2 })
  await scanAddress(world, address, { pageSize: 2 })
  expect((await readCreditOf(world.owner, wallet.address)).deposited).toBe(cotton(15))
})

test('a pending deposit that a fork removed is dropped, and credited if it reappears', async () => {
  const { wallet, address } = await createDepositor(world)
  const signature = await world.transfer(wallet, address.owner, cotton(9))
  await world.waitUntilFinal(signature)
  const early: Chain = {
    ...world.chain,
    history: async (of, query) =>
      (await world.chain.history(of, query)).map((item) => ({ ...item, commitment: 'confirmed' as const })),
  }
  await scanAddress(world, address, { chain: early })
  await world.waitUntilFinal(await world.gift(wallet.address, cotton(1)))
  const forked: Chain = {
    ...world.chain,
    history: async () => [],
    statuses: async (of) => of.map(() => null),
  }
  await scanAddress(world, address, { chain: forked })
  expect(await receiptsOf(address)).toMatchObject([{ state: 'dropped' }])
  await scanAddress(world, address)
  expect(await receiptsOf(address)).toMatchObject([{ state: 'credited' }])
})

test('check-deposit reports a deposit once, whichever process credited it (A-25)', async () => {
  const { wallet, address } = await createDepositor(world)
  const deps = { db: world.api, chain: world.chain, clock: world.clock }
  expect(await checkDeposit(deps, wallet.address)).toMatchObject({
    newDeposit: false,
    amount: 0,
    newBalance: 0,
  })
  await world.waitUntilFinal(await world.transfer(wallet, address.owner, cotton(3)))
  const stopping = new AbortController().signal
  await watchRound({ ...deps, db: world.watcher, log: world.log }, { progress: newWatchProgress(), stopping })
  await world.waitUntilFinal(await world.transfer(wallet, address.owner, cotton(4)))
  const answers = await Promise.all([checkDeposit(deps, wallet.address), checkDeposit(deps, wallet.address)])
  expect(answers.reduce((sum, answer) => sum + answer.amount, 0)).toBe(7)
  expect(await checkDeposit(deps, wallet.address)).toMatchObject({
    newDeposit: false,
    amount: 0,
    newBalance: 7,
  })
})

test('a deposit below one token is reported to the base unit, and so is the balance', async () => {
  const { wallet, address } = await createDepositor(world)
  const deps = { db: world.api, chain: world.chain, clock: world.clock }
  await world.waitUntilFinal(await world.transfer(wallet, address.owner, baseUnits(750_000n)))
  expect(await checkDeposit(deps, wallet.address)).toMatchObject({
    newDeposit: true,
    amount: 0.75,
    newBalance: 0.75,
  })
})

test('concurrent players each get an address of their own, and it stays the same', async () => {
  const wallets = Array.from({ length: 20 }, (_, at) => `Player${at}`)
  const taken = await Promise.all([...wallets, ...wallets].map(take))
  expect(new Set(taken.map((each) => each!.owner)).size).toBe(20)
  for (const [at, wallet] of wallets.entries()) {
    expect(taken[at]).toEqual(taken[at + 20])
    expect(await take(wallet)).toEqual(taken[at])
  }
})
