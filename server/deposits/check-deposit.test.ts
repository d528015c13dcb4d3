import { expect, test } from 'vitest'
import { baseUnits, cotton } from '#game/cotton.ts'
import { type Chain, ChainUnavailable } from '#server/chain/port.ts'
import { runQuery, readCreditOf } from '#tests/support/chain-test-world.ts'
import { createDepositor, type Depositor, scanAddress } from '#tests/support/depositors.ts'
import { interceptStatements } from '#tests/support/intercept-statements.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { checkDeposit } from './check-deposit.ts'

const world = setUpChainTestWorld()

const depsWith = (chain: Partial<Chain> = {}) => ({
  db: world.api,
  clock: world.clock,
  chain: { ...world.chain, ...chain },
})

const statesOf = (wallet: string) =>
  runQuery(world.owner, 'select state, why from receipts where wallet = $1 order by seen_at', [wallet])

test('without a node a check reports what was credited before, and is refused if there is nothing', async () => {
  const { wallet, address } = await createDepositor(world)
  const slot = () => Promise.reject(new ChainUnavailable('no node answers'))
  await expect(checkDeposit(depsWith({ slot }), wallet.address)).rejects.toThrow('chain_unreachable')
  await world.waitUntilFinal(await world.transfer(wallet, address.owner, cotton(3)))
  await scanAddress(world, address)
  expect(await checkDeposit(depsWith({ slot }), wallet.address)).toMatchObject({ amount: 3, newBalance: 3 })
  await expect(checkDeposit(depsWith({ slot }), wallet.address)).rejects.toThrow('chain_unreachable')
})

test('a deposit is reported to its player only, and once', async () => {
  const [ana, ben] = [await createDepositor(world), await createDepositor(world)]
  for (const { wallet, address } of [ana, ben]) {
    await world.waitUntilFinal(await world.transfer(wallet, address.owner, cotton(3)))
    await scanAddress(world, address)
  }
  const check = ({ wallet }: Depositor) => checkDeposit(depsWith(), wallet.address)
  expect(await check(ana)).toMatchObject({ newDeposit: true, amount: 3, newBalance: 3 })
  expect(await check(ben)).toMatchObject({ newDeposit: true, amount: 3, newBalance: 3 })
  expect(await check(ana)).toMatchObject({ newDeposit: false, amount: 0, newBalance: 3 })
})

test('a bug in a scan is no unreachable chain, and a player without an address needs no chain', async () => {
  const { wallet } = await createDepositor(world)
  const slot = () => Promise.reject(new TypeError('a bug'))
  await expect(checkDeposit(depsWith({ slot }), wallet.address)).rejects.toThrow('a bug')
  expect(await checkDeposit(depsWith({ slot }), 'NobodyHasThisWallet')).toMatchObject({ newDeposit: false })
})

/** A chain on which no deposit is final yet. */
const early: Partial<Chain> = {
  history: async (of, query) =>
    (await world.chain.history(of, query)).map((item) => ({ ...item, commitment: 'confirmed' as const })),
}

test('a deposit that another process credits during a check is reported by it', async () => {
  const { wallet, address } = await createDepositor(world)
  await world.waitUntilFinal(await world.transfer(wallet, address.owner, cotton(4)))
  let isCredited = false
  const { rows } = interceptStatements(world.api, async ({ name }, run) => {
    const read = await run()
    if (!isCredited && (name === 'deposits-sum-pending' || name === 'deposits-mark-reported')) {
      isCredited = true
      await scanAddress(world, address)
    }
    return read
  })
  const deps = { ...depsWith(early), db: { ...world.api, rows } }
  expect(await checkDeposit(deps, wallet.address)).toMatchObject({
    newDeposit: true,
    amount: 4,
    newBalance: 4,
  })
})

test('a deposit that is not final is reported as pending, and only one that no node knows is dropped', async () => {
  const { wallet, address } = await createDepositor(world)
  const signature = await world.transfer(wallet, address.owner, cotton(9))
  await world.waitUntilFinal(signature)
  expect(await checkDeposit(depsWith(early), wallet.address)).toMatchObject({ newDeposit: false, pending: 9 })
  await world.waitUntilFinal(await world.gift(wallet.address, cotton(1)))
  const [known] = await world.chain.statuses([signature])
  const hidden = { ...world.chain, history: async () => [] }
  await scanAddress(world, address, { chain: hidden })
  expect(await statesOf(wallet.address)).toMatchObject([{ state: 'pending' }])
  const unknown = { ...hidden, statuses: async () => [null] }
  await scanAddress(world, address, { chain: unknown, finalSlot: known!.slot })
  expect(await statesOf(wallet.address)).toMatchObject([{ state: 'pending' }])
  const failed = { ...hidden, statuses: async () => [{ ...known!, failed: true }] }
  await scanAddress(world, address, { chain: failed })
  expect(await statesOf(wallet.address)).toMatchObject([{ state: 'dropped' }])
})

test('a deposit of 10¹² $COTTON is credited, and one of a base unit more is recorded for the operator', async () => {
  const most = cotton(10n ** 12n)
  const { wallet, address } = await createDepositor(world, 3 * 10 ** 12)
  for (const amount of [most, baseUnits(most + 1n)])
    await world.waitUntilFinal(await world.transfer(wallet, address.owner, amount))
  await scanAddress(world, address)
  expect(await statesOf(wallet.address)).toEqual(
    expect.arrayContaining([
      { state: 'credited', why: null },
      { state: 'unclaimed', why: 'too_large' },
    ]),
  )
  expect((await readCreditOf(world.owner, wallet.address)).deposited).toBe(most)
})

test('deposits that are not final are added up, also beyond a bigint', async () => {
  const { wallet, address } = await createDepositor(world)
  // A slot that is not final yet, so that they do not count as vanished.
  await runQuery(
    world.owner,
    `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, seen_at)
     select 'huge ' || n, $1::text, $2::text, 'cotton', 9000000000000000000, 9000000000000000000, 'pending', $3::timestamptz
     from generate_series(1, 2) n`,
    [address.tokenAccount, wallet.address, world.clock.now()],
  )
  expect(await checkDeposit(depsWith(), wallet.address)).toMatchObject({ newDeposit: false, pending: 18e12 })
  await runQuery(world.owner, 'delete from receipts where wallet = $1', [wallet.address])
})

test('of very many deposits a check reports a thousand, and the next one the rest', async () => {
  const { wallet, address } = await createDepositor(world)
  await runQuery(
    world.owner,
    `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, seen_at, credited_at, journal_id)
     select 'dust ' || n, $1::text, $2::text, 'cotton', 1000000, 1, 'credited', $3::timestamptz, $3::timestamptz, gen_random_uuid()
     from generate_series(1, 1007) n`,
    [address.tokenAccount, wallet.address, world.clock.now()],
  )
  const check = () => checkDeposit(depsWith(), wallet.address)
  expect(await check()).toMatchObject({ newDeposit: true, amount: 1_000 })
  expect(await check()).toMatchObject({ newDeposit: true, amount: 7 })
  expect(await check()).toMatchObject({ newDeposit: false, amount: 0 })
  await runQuery(world.owner, 'delete from receipts where wallet = $1', [wallet.address])
})
