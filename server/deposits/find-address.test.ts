import { expect } from 'vitest'
import { type Address, type Chain, ChainUnavailable } from '#server/chain/port.ts'
import { type Db, UnknownOutcomeError } from '#server/platform/db/db.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { test as worldTest, type TestWorld } from '#tests/support/test-world.ts'
import { findDepositAddress } from './find-address.ts'
import { limitNewAddresses } from './limit-new-addresses.ts'
import { renewAddressOffer } from './retire-addresses.ts'
import { takeDepositAddress } from './take-address.ts'

/** Each test begins with one free address, which is offered. */
const test = worldTest.extend('oneFree', { auto: true }, async ({ world }) => {
  await runQuery(world.db, 'delete from deposit_addresses')
  await runQuery(
    world.db,
    `insert into deposit_addresses (index, owner, token_account) values (1, 'owner', 'account')`,
  )
  await world.db.transaction((tx) => renewAddressOffer(tx, world.clock.now()))
  return null
})

const find = ({ db, clock }: TestWorld, slot: Chain['slot'], ...others: Chain['slot'][]) => {
  const nodes = [slot, ...others].map((each) => ({ slot: each }))
  return findDepositAddress({ db, clock, chain: { nodes } as unknown as Chain }, 'wallet')
}

const failing = (error: Error) => async (): Promise<never> => {
  throw error
}

const assignedSlots = ({ db }: TestWorld) =>
  runQuery<{ wallet: string | null; slot: bigint | null }>(
    db,
    'select wallet, assigned_slot as slot from deposit_addresses',
  )

const known = { wallet: 'wallet', owner: 'owner' as Address, tokenAccount: 'account' as Address }

test('an address is assigned at a confirmed slot, and is then known without a node', async ({ world }) => {
  const slot = async (commitment: string) => (commitment === 'confirmed' ? 12n : 0n)
  expect(await find(world, slot)).toEqual(known)
  expect(await assignedSlots(world)).toEqual([{ wallet: 'wallet', slot: 12n }])
  expect(await find(world, failing(new Error('a slot was read')))).toEqual(known)
})

test('without a node an address is assigned without a slot', async ({ world }) => {
  expect(await find(world, failing(new ChainUnavailable('no answer')))).toEqual(known)
  expect(await assignedSlots(world)).toEqual([{ wallet: 'wallet', slot: null }])
})

test('a node that names a slot in the future does not make later deposits earlier than the address', async ({
  world,
}) => {
  const lying = async () => 10n ** 15n
  expect(await find(world, lying, async () => 12n)).toEqual(known)
  expect(await assignedSlots(world)).toEqual([{ wallet: 'wallet', slot: 12n }])
})

test('of several nodes only one has to answer for the slot of an assignment, and none for the address', async ({
  world,
}) => {
  const silent = failing(new ChainUnavailable('no answer'))
  expect(await find(world, silent, async () => 12n, silent)).toEqual(known)
  expect(await assignedSlots(world)).toEqual([{ wallet: 'wallet', slot: 12n }])
  await runQuery(world.db, 'update deposit_addresses set wallet = null, assigned_at = null')
  expect(await find(world, silent, silent)).toEqual(known)
  expect(await assignedSlots(world)).toEqual([{ wallet: 'wallet', slot: null }])
})

test('a bug in the read of the slot assigns no address', async ({ world }) => {
  await expect(find(world, failing(new TypeError('a bug')))).rejects.toThrow('a bug')
  expect(await assignedSlots(world)).toEqual([{ wallet: null, slot: null }])
})

test('a player has the same address while no other is free, and another player has none', async ({
  world: { db, clock },
}) => {
  const take = (wallet: string) => takeDepositAddress(db, { wallet, now: clock.now() })
  expect(await take('wallet')).toEqual(known)
  expect(await take('wallet')).toEqual(known)
  expect(await take('another wallet')).toBeNull()
})

test('an assignment that the database rejects is no missing address', async ({ world: { db, clock } }) => {
  const taking = takeDepositAddress(db, { wallet: 'wallet', now: clock.now(), slot: 2n ** 64n })
  await expect(taking).rejects.toMatchObject({ code: '22003' })
})

test('a call that finds no free address does not count for its caller', async ({ world: { db, clock } }) => {
  const count = limitNewAddresses(clock)
  const chain = { nodes: [] } as unknown as Chain
  const ask = () => findDepositAddress({ db, clock, chain }, 'wallet', () => count('203.0.113.7'))
  await takeDepositAddress(db, { wallet: 'another wallet', now: clock.now() })
  for (let asked = 0; asked < 300; asked++) expect(await ask()).toBeNull()
  await runQuery(db, 'update deposit_addresses set wallet = null, assigned_at = null')
  expect(await ask()).toEqual(known)
})

test('an assignment that fails does not count for its caller, and one with an unknown outcome does', async ({
  world: { db, clock },
}) => {
  const count = limitNewAddresses(clock)
  const chain = { nodes: [] } as unknown as Chain
  const ask = (of: Db) => findDepositAddress({ db: of, clock, chain }, 'wallet', () => count('203.0.113.7'))
  for (const error of [new Error('read-only'), new UnknownOutcomeError(new Error('cut'))]) {
    const transaction = failing(error)
    for (let asked = 0; asked < 300; asked++) await expect(ask({ ...db, transaction })).rejects.toBe(error)
  }
  await expect(ask(db)).rejects.toMatchObject({ refusal: { code: 'too_many_requests' } })
})
