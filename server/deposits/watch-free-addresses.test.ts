import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Address, Chain, Receipt, Signature } from '#server/chain/port.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { createChainWithHistories, createReceipt } from '#tests/support/nodes-with-histories.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import { type FreeAddress, readFreeAddresses, watchFreeAddress } from './watch-free-addresses.ts'

let count = 0

async function newFreeAddress({ db }: TestWorld): Promise<FreeAddress> {
  const at = ++count
  const address = { owner: `owner ${at}` as Address, tokenAccount: `account ${at}` as Address }
  await runQuery(db, `insert into deposit_addresses (index, owner, token_account) values ($1, $2, $3)`, [
    at,
    address.owner,
    address.tokenAccount,
  ])
  return { ...address, cursor: null, ownerCursor: null }
}

/** A transaction in the history of an address. */
const receipt = (name: string, slot: number, address: Address, of: Partial<Receipt> = {}): Receipt =>
  createReceipt({ signature: name as Signature, slot: BigInt(slot), accounts: [address], ...of })

const rowOf = async ({ db }: TestWorld, { owner }: FreeAddress) => {
  const [row] = await runQuery(
    db,
    `select cursor_signature as cursor, owner_cursor_signature as "ownerCursor", retired_at is not null as retired
     from deposit_addresses where owner = $1`,
    [owner],
  )
  return row
}

const receiptsAt = ({ db }: TestWorld, { owner, tokenAccount }: FreeAddress) =>
  runQuery<{ asset: string; amount: string }>(
    db,
    'select asset, amount::text from receipts where token_account in ($1, $2) order by slot, asset',
    [tokenAccount, owner],
  )

const watch = ({ db, clock }: TestWorld, chain: Chain, address: FreeAddress) =>
  watchFreeAddress({ db, chain, clock }, address)

test('$COTTON and SOL at an unassigned address are recorded, and each history is read once', async ({
  world,
}) => {
  const address = await newFreeAddress(world)
  const { tokenAccount, owner } = address
  const { chain, asked } = createChainWithHistories({
    [tokenAccount]: [
      receipt('a failed one', 1, tokenAccount, { failed: true, amount: 4n }),
      receipt('cotton', 2, tokenAccount, { amount: cotton(5) }),
    ],
    [owner]: [receipt('sol', 3, owner, { lamports: 7n }), receipt('nothing', 4, owner)],
  })
  await watch(world, chain, address)
  const recorded = [
    { asset: 'cotton', amount: '5000000' },
    { asset: 'sol', amount: '7' },
  ]
  expect(await receiptsAt(world, address)).toEqual(recorded)
  const row = await rowOf(world, address)
  expect(row).toEqual({ cursor: 'cotton', ownerCursor: 'nothing', retired: true })
  asked.receipts.length = 0
  await watch(world, chain, {
    ...address,
    cursor: 'cotton' as Signature,
    ownerCursor: 'nothing' as Signature,
  })
  expect(asked.receipts).toEqual([])
  expect(await receiptsAt(world, address)).toEqual(recorded)
})

test('an address without a history stays free', async ({ world }) => {
  const address = await newFreeAddress(world)
  await watch(world, createChainWithHistories({}).chain, address)
  expect(await rowOf(world, address)).toMatchObject({ retired: false })
})

test('the position at an unassigned address does not pass a transaction that no node returns', async ({
  world,
}) => {
  for (const missing of [0, 1, 30]) {
    const address = await newFreeAddress(world)
    const { tokenAccount } = address
    const name = (at: number) => `${at} to ${tokenAccount}` as Signature
    const history = Array.from({ length: 120 }, (_, at) =>
      receipt(name(at), at + 1, tokenAccount, { amount: 1n }),
    )
    const { chain } = createChainWithHistories({ [tokenAccount]: history })
    const lagging: Chain = {
      ...chain,
      receipt: async (signature, ...args) =>
        signature === name(missing) ? null : chain.receipt(signature, ...args),
    }
    await watch(world, lagging, address)
    const cursor = missing === 0 ? null : name(missing - 1)
    expect(await rowOf(world, address)).toMatchObject({ cursor, retired: true })
    expect(await receiptsAt(world, address)).toHaveLength(missing)
    await watch(world, chain, { ...address, cursor })
    expect(await receiptsAt(world, address)).toHaveLength(120)
  }
})

test('a transaction to an unassigned address that no node returns is read later, wherever its slot has it', async ({
  world,
}) => {
  const address = await newFreeAddress(world)
  const { tokenAccount } = address
  const [a, b, c] = ['a', 'b', 'c'].map((name) =>
    receipt(`${name} of a slot`, name === 'a' ? 1 : 2, tokenAccount, { amount: 1n }),
  )
  const { chain } = createChainWithHistories({ [tokenAccount]: [a!, b!] })
  const lagging: Chain = {
    ...chain,
    history: createChainWithHistories({ [tokenAccount]: [a!, b!, c!] }).chain.history,
  }
  await watch(world, lagging, address)
  expect(await rowOf(world, address)).toMatchObject({ cursor: a!.signature })
  const other = createChainWithHistories({ [tokenAccount]: [a!, c!, b!] })
  await watch(world, other.chain, { ...address, cursor: a!.signature })
  expect(await receiptsAt(world, address)).toHaveLength(3)
})

test('of a long history of an unassigned address, fifty transactions are recorded at a time', async ({
  world,
}) => {
  const address = await newFreeAddress(world)
  const { tokenAccount } = address
  const history = Array.from({ length: 120 }, (_, at) =>
    receipt(`${at} of 120`, at + 1, tokenAccount, { amount: 1n }),
  )
  const { chain } = createChainWithHistories({ [tokenAccount]: history })
  const failing: Chain = {
    ...chain,
    receipt: async (signature, ...args) => {
      if (signature === '119 of 120') throw new Error('interrupted')
      return chain.receipt(signature, ...args)
    },
  }
  await expect(watch(world, failing, address)).rejects.toThrow('interrupted')
  expect(await receiptsAt(world, address)).toHaveLength(100)
})

test('an address that a player takes meanwhile is left to its player', async ({ world }) => {
  const address = await newFreeAddress(world)
  await runQuery(
    world.db,
    `update deposit_addresses set wallet = 'wallet', assigned_at = now() where owner = $1`,
    [address.owner],
  )
  const { chain } = createChainWithHistories({
    [address.tokenAccount]: [receipt('theirs', 1, address.tokenAccount, { amount: 1n })],
  })
  await watch(world, chain, address)
  expect(await receiptsAt(world, address)).toEqual([])
  expect(await rowOf(world, address)).toEqual({ cursor: null, ownerCursor: null, retired: false })
})

test('unassigned addresses are read in rotation', async ({ world }) => {
  await runQuery(world.db, 'delete from deposit_addresses')
  for (let at = 0; at < 7; at++) await newFreeAddress(world)
  const all = await runQuery<{ owner: string }>(
    world.db,
    'select owner from deposit_addresses where wallet is null order by index',
  )
  const read = async (round: number) =>
    (await readFreeAddresses(world.db, { round, atOnce: 3 })).map(({ owner }) => owner)
  const owners = all.map(({ owner }) => owner)
  expect(await read(0)).toEqual(owners.slice(0, 3))
  expect(await read(1)).toEqual(owners.slice(3, 6))
  expect(await read(2)).toEqual(owners.slice(6))
})
