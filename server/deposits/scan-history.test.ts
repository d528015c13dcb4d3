import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import {
  type Address,
  type Chain,
  ChainUnavailable,
  type Receipt,
  type Signature,
  UnknownTransaction,
} from '#server/chain/port.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { countDbStatements, type StatementLog } from '#tests/support/count-statements.ts'
import { createChainWithHistories, createReceipt } from '#tests/support/nodes-with-histories.ts'
import { createNode } from '#tests/support/nodes.ts'
import type { TestPlayer } from '#tests/support/test-player.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { checkDeposit } from './check-deposit.ts'
import { creditDeposits, type ScanOptions } from './credit-deposits.ts'
import type { DepositAddress } from './take-address.ts'

let count = 0

async function newAddress({ db }: TestWorld): Promise<DepositAddress> {
  const at = ++count
  const address: DepositAddress = {
    wallet: `wallet ${at}`,
    owner: `owner ${at}` as Address,
    tokenAccount: `account ${at}` as Address,
  }
  await runQuery(
    db,
    `insert into deposit_addresses (index, owner, token_account, wallet, assigned_at) values ($1, $2, $3, $4, now())`,
    [at, address.owner, address.tokenAccount, address.wallet],
  )
  return address
}

const signatureOf = (address: DepositAddress, at: number) => `${at} to ${address.wallet}` as Signature

/** Transactions that each bring one $COTTON, a slot for each. */
const depositsTo = (address: DepositAddress, size: number): Receipt[] =>
  Array.from({ length: size }, (_, at) =>
    createReceipt({
      signature: signatureOf(address, at),
      slot: BigInt(at + 1),
      amount: cotton(1),
      accounts: [address.tokenAccount],
    }),
  )

const deposited = async (world: TestWorld, { wallet }: DepositAddress) =>
  (await world.credit({ wallet } as TestPlayer)).deposited

const scan = ({ db, clock }: TestWorld, chain: Chain, address: DepositAddress, options?: ScanOptions) =>
  creditDeposits({ db, clock, chain }, address, options)

/** The chain without the receipts of these transactions. */
const without = (chain: Chain, hidden: readonly Signature[]): Chain => ({
  ...chain,
  receipt: async (signature, ...args) =>
    hidden.includes(signature) ? null : chain.receipt(signature, ...args),
})

/** The chain as it is before its newest blocks are final. */
const asConfirmed = (chain: Chain): Chain => ({
  ...chain,
  history: async (...args) =>
    (await chain.history(...args)).map((item) => ({ ...item, commitment: 'confirmed' as const })),
})

test('a scan reads what is new since the last one, and asks for no status without pending deposits', async ({
  world,
}) => {
  const address = await newAddress(world)
  const history = depositsTo(address, 120)
  const { chain, asked } = createChainWithHistories({ [address.tokenAccount]: history })
  const statuses = () => Promise.reject(new Error('a status was read'))
  await scan(world, { ...chain, statuses }, address)
  expect(asked.receipts).toHaveLength(120)
  expect(await deposited(world, address)).toBe(cotton(120))
  await scan(world, { ...chain, statuses }, address)
  expect(asked.receipts).toHaveLength(120)
  history.push(...depositsTo(address, 121).slice(120))
  await scan(world, { ...chain, statuses }, address)
  expect(asked.receipts.slice(120)).toEqual([signatureOf(address, 120)])
})

test('the position in a history does not pass a transaction that no node returns, in any batch', async ({
  world,
}) => {
  for (const missing of [0, 7, 60]) {
    const address = await newAddress(world)
    const { chain, asked } = createChainWithHistories({ [address.tokenAccount]: depositsTo(address, 130) })
    await scan(world, without(chain, [signatureOf(address, missing)]), address)
    expect(await deposited(world, address)).toBe(cotton(129))
    asked.receipts.length = 0
    await scan(world, chain, address)
    expect(await deposited(world, address)).toBe(cotton(130))
    // The position is the transaction before the missing one.
    expect(asked.receipts).toHaveLength(130 - missing)
  }
})

test('a transaction that no node returns is missing in the history of the token account only', async ({
  world,
}) => {
  for (const side of ['token_account', 'owner'] as const) {
    const address = await newAddress(world)
    const arrivals = depositsTo(address, 1)
    const { chain } = createChainWithHistories({
      [address.owner]: arrivals,
      [address.tokenAccount]: arrivals,
    })
    const { missing } = await scan(world, without(chain, [signatureOf(address, 0)]), address, {
      sides: [side],
    })
    expect(missing).toBe(side === 'token_account')
  }
})

test('a transaction that no node returns is read later, wherever another node shows it in its slot', async ({
  world,
}) => {
  const address = await newAddress(world)
  const [a, b, c] = depositsTo(address, 3).map((each, at) => ({ ...each, slot: at < 1 ? 1n : 2n }))
  const { chain } = createChainWithHistories({ [address.tokenAccount]: [a!, b!, c!] })
  await scan(world, without(chain, [c!.signature]), address)
  expect(await deposited(world, address)).toBe(cotton(2))
  const other = createChainWithHistories({ [address.tokenAccount]: [a!, c!, b!] })
  await scan(world, other.chain, address)
  expect(await deposited(world, address)).toBe(cotton(3))
})

test('a transaction that one node lists and does not return is read from another one', async ({ world }) => {
  const silent = { receipt: () => Promise.reject(new ChainUnavailable('no answer in time')) }
  for (const between of [[silent], []]) {
    const address = await newAddress(world)
    const { chain } = createChainWithHistories({ [address.tokenAccount]: depositsTo(address, 3) })
    const gap = without(chain, [signatureOf(address, 1)])
    const nodes = [createNode(gap), ...between.map((each) => createNode(chain, each)), createNode(chain)]
    await scan(world, { ...gap, nodes }, address)
    expect(await deposited(world, address)).toBe(cotton(3))
  }
})

test('a transaction about which one node contradicts itself is read from another one, if that answers', async ({
  world,
}) => {
  const address = await newAddress(world)
  const { chain } = createChainWithHistories({ [address.tokenAccount]: depositsTo(address, 3) })
  const contradictory: Chain = {
    ...chain,
    receipt: async (signature, ...args) => {
      if (signature === signatureOf(address, 1)) throw new ChainUnavailable('tokens appear or vanish in it')
      return chain.receipt(signature, ...args)
    },
  }
  const first = createNode(contradictory)
  const scanning = scan(world, { ...contradictory, nodes: [first, first] }, address)
  await expect(scanning).rejects.toBeInstanceOf(ChainUnavailable)
  expect(await deposited(world, address)).toBe(0n)
  await scan(world, { ...contradictory, nodes: [first, createNode(chain)] }, address)
  expect(await deposited(world, address)).toBe(cotton(3))
})

test('a deposit that a node lists twice is credited once', async ({ world }) => {
  const address = await newAddress(world)
  const [first, second, third] = depositsTo(address, 3)
  const history = [first!, second!, second!, third!]
  await scan(world, createChainWithHistories({ [address.tokenAccount]: history }).chain, address)
  expect(await deposited(world, address)).toBe(cotton(3))
})

test('of a long history, fifty transactions are credited at a time', async ({ world }) => {
  const address = await newAddress(world)
  const { chain } = createChainWithHistories({ [address.tokenAccount]: depositsTo(address, 120) })
  const failing: Chain = {
    ...chain,
    receipt: async (signature, ...args) => {
      if (signature === signatureOf(address, 119)) throw new Error('interrupted')
      return chain.receipt(signature, ...args)
    },
  }
  await expect(scan(world, failing, address)).rejects.toThrow('interrupted')
  expect(await deposited(world, address)).toBe(cotton(100))
  await scan(world, chain, address)
  expect(await deposited(world, address)).toBe(cotton(120))
})

test('a scan with a limit continues where the last one ended, and a check reads fifty transactions', async ({
  world,
}) => {
  const { db, clock } = world
  const address = await newAddress(world)
  const { chain, asked } = createChainWithHistories({ [address.tokenAccount]: depositsTo(address, 130) })
  expect(await checkDeposit({ db, clock, chain }, address.wallet)).toMatchObject({ amount: 50 })
  const limit = { maxTransactions: 50 }
  expect(await scan(world, chain, address, limit)).toMatchObject({ finished: false })
  expect(await deposited(world, address)).toBe(cotton(100))
  expect(await scan(world, chain, address, limit)).toMatchObject({ finished: true })
  expect(await deposited(world, address)).toBe(cotton(130))
  expect(asked.receipts).toHaveLength(130)
})

test('a scan with a limit reads a longer slot to its end, and the next one continues after it', async ({
  world,
}) => {
  const address = await newAddress(world)
  const deposits = depositsTo(address, 180).map((each, at) => ({ ...each, slot: at < 120 ? 1n : 2n }))
  const { chain, asked } = createChainWithHistories({ [address.tokenAccount]: deposits })
  const limit = { maxTransactions: 50 }
  expect(await scan(world, chain, address, limit)).toMatchObject({ finished: false })
  expect(asked.receipts).toHaveLength(150)
  asked.receipts.length = 0
  expect(await scan(world, chain, address, limit)).toMatchObject({ finished: true })
  expect(asked.receipts).toHaveLength(60)
  expect(await deposited(world, address)).toBe(cotton(180))
})

test('a position that a node has invented, or in a slot of the far future, ends no history', async ({
  world,
}) => {
  for (const invented of [true, false]) {
    const address = await newAddress(world)
    const { chain } = createChainWithHistories({ [address.tokenAccount]: depositsTo(address, 130) })
    const honest: Chain = {
      ...chain,
      history: async (of, query) => {
        if (invented && query.until === 'invented') throw new UnknownTransaction('unknown')
        return chain.history(of, query)
      },
    }
    const cursor = invented ? 'invented' : signatureOf(address, 0)
    const set = `update deposit_addresses set cursor_signature = $2, cursor_slot = 2::bigint ^ 62 where wallet = $1`
    await runQuery(world.db, set, [address.wallet, cursor])
    const limit = { maxTransactions: 50 }
    for (let scans = 0; scans < 3; scans++) await scan(world, honest, address, limit)
    expect(await deposited(world, address)).toBe(cotton(invented ? 130 : 129))
  }
})

test('a transaction that no node returns does not delay those beyond the limit of a scan', async ({
  world,
}) => {
  const address = await newAddress(world)
  const { chain } = createChainWithHistories({ [address.tokenAccount]: depositsTo(address, 130) })
  const gap = without(chain, [signatureOf(address, 7)])
  expect(await scan(world, gap, address, { maxTransactions: 50 })).toMatchObject({ finished: true })
  expect(await deposited(world, address)).toBe(cotton(129))
})

test('a large deposit that waits for a second node does not delay those beyond the limit of a scan', async ({
  world,
}) => {
  const address = await newAddress(world)
  const deposits = depositsTo(address, 130)
  deposits[7] = { ...deposits[7]!, amount: cotton(1_000) }
  const { chain } = createChainWithHistories({ [address.tokenAccount]: deposits })
  const nodes = [createNode(chain), createNode(chain, { receipt: async () => null })]
  const { db, clock } = world
  const deps = { db, clock, chain: { ...chain, nodes }, largeFrom: cotton(1_000) }
  expect(await creditDeposits(deps, address, { maxTransactions: 50 })).toMatchObject({
    finished: true,
    settled: false,
  })
  expect(await deposited(world, address)).toBe(cotton(129))
})

test('of a history whose end is not final, a scan with a limit reads no more than that', async ({
  world,
}) => {
  const address = await newAddress(world)
  const { chain, asked } = createChainWithHistories({ [address.tokenAccount]: depositsTo(address, 130) })
  expect(await scan(world, asConfirmed(chain), address, { maxTransactions: 50 })).toEqual({
    waiting: [],
    finished: false,
    missing: false,
    settled: false,
  })
  expect(asked.receipts).toHaveLength(50)
})

test('a receipt that does not belong into the history is not credited', async ({ world }) => {
  const address = await newAddress(world)
  const { chain } = createChainWithHistories({ [address.tokenAccount]: depositsTo(address, 1) })
  for (const forged of [
    { slot: 2n },
    { isDerived: false },
    { accounts: [address.owner] },
  ] satisfies Partial<Receipt>[]) {
    const forging: Chain = {
      ...chain,
      receipt: async (...args) => ({ ...(await chain.receipt(...args))!, ...forged }),
    }
    await scan(world, forging, address)
    expect(await deposited(world, address)).toBe(0n)
  }
  await scan(world, chain, address)
  expect(await deposited(world, address)).toBe(cotton(1))
})

test('a failed transaction credits nothing, whatever its receipt says', async ({ world }) => {
  const address = await newAddress(world)
  const history = depositsTo(address, 1).map((receipt) => ({ ...receipt, failed: true, lamports: 5n }))
  const { chain } = createChainWithHistories({ [address.tokenAccount]: history })
  await scan(world, chain, address)
  expect(await runQuery(world.db, 'select from receipts where wallet = $1', [address.wallet])).toEqual([])
})

test('a transaction whose commitment the node does not report is credited if it is final', async ({
  world,
}) => {
  const address = await newAddress(world)
  const { chain } = createChainWithHistories({ [address.tokenAccount]: depositsTo(address, 2) })
  const old: Chain = {
    ...chain,
    history: async (...args) => (await chain.history(...args)).map((item) => ({ ...item, commitment: null })),
    receipt: async (signature, of, commitment) =>
      commitment === 'finalized' && signature === signatureOf(address, 1)
        ? null
        : chain.receipt(signature, of, commitment),
  }
  await scan(world, old, address)
  expect(await deposited(world, address)).toBe(cotton(1))
  expect(
    await runQuery(world.db, 'select state from receipts where wallet = $1 order by slot', [address.wallet]),
  ).toEqual([{ state: 'credited' }, { state: 'pending' }])
})

test('a pending deposit that its history shows is not dropped, even if a node does not know its status', async ({
  world,
}) => {
  const address = await newAddress(world)
  const { chain } = createChainWithHistories({ [address.tokenAccount]: depositsTo(address, 1) })
  for (let scans = 0; scans < 2; scans++) await scan(world, asConfirmed(chain), address)
  expect(await runQuery(world.db, 'select state from receipts where wallet = $1', [address.wallet])).toEqual([
    { state: 'pending' },
  ])
})

test('a pending deposit whose history is not shown, but whose status is known, is left as it is', async ({
  world,
}) => {
  const address = await newAddress(world)
  const { chain } = createChainWithHistories({ [address.tokenAccount]: depositsTo(address, 1) })
  await scan(world, asConfirmed(chain), address)
  const log: StatementLog = { names: [], roundTrips: 0 }
  const hidden: Chain = {
    ...chain,
    history: async () => [],
    statuses: async () => [{ slot: 1n, commitment: 'confirmed', failed: false }],
  }
  await scan({ ...world, db: countDbStatements(world.db, log) }, hidden, address)
  expect(log.names).toContain('deposits-read-pending')
  expect(log.names).not.toContain('deposits-drop')
  expect(await runQuery(world.db, 'select state from receipts where wallet = $1', [address.wallet])).toEqual([
    { state: 'pending' },
  ])
})
