import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Address } from '#server/chain/port.ts'
import { ensureFreeAddresses } from '#server/signer/keys/ensure-free-addresses.ts'
import { createHolder, scanAddress } from '#tests/support/depositors.ts'
import { runQuery, readCreditOf } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { findDepositAddress } from './find-address.ts'
import { OFFER_LIFE_MS, retireStaleAddresses } from './retire-addresses.ts'
import { takeDepositAddress } from './take-address.ts'
import { readFreeAddresses, watchFreeAddress } from './watch-free-addresses.ts'
import { newWatchProgress, watchRound } from './watch-deposits.ts'

const world = setUpChainTestWorld()

/** Long enough for all addresses. */
const ALL = { limitMs: 60_000 }

type Row = {
  index: number
  owner: Address
  tokenAccount: Address
  wallet: string | null
  retired: boolean
  cursor: null
  ownerCursor: null
}

const rows = (where: string, values: unknown[] = []) =>
  runQuery<Row>(
    world.owner,
    `select index, owner, token_account as "tokenAccount", wallet, retired_at is not null as retired,
       null as cursor, null as "ownerCursor" from deposit_addresses where ${where} order by index`,
    values,
  )

const free = () => rows('wallet is null and retired_at is null')

const receipts = (of: { tokenAccount: string; owner: string }) =>
  runQuery<{ wallet: string | null; asset: string; state: string; why: string; amount: string }>(
    world.owner,
    `select wallet, asset, state, why, amount::text from receipts where token_account in ($1, $2) order by asset`,
    [of.tokenAccount, of.owner],
  )

const apiDeps = () => ({ db: world.api, chain: world.chain, clock: world.clock })

/** Runs `work` and then restores the addresses as they were before, like a restored backup. Returns what `work` returns. */
async function thenRestore<T>(work: () => Promise<T>): Promise<T> {
  await runQuery(world.owner, 'create table backup as select * from deposit_addresses')
  await runQuery(
    world.owner,
    `create table backup_settings as select * from settings where name = 'addresses_offered'`,
  )
  const result = await work()
  await runQuery(world.owner, 'truncate deposit_addresses')
  await runQuery(world.owner, 'insert into deposit_addresses select * from backup')
  await runQuery(world.owner, `delete from settings where name = 'addresses_offered'`)
  await runQuery(world.owner, 'insert into settings select * from backup_settings')
  await runQuery(world.owner, 'drop table backup, backup_settings')
  return result
}

test('a restored database never assigns an address that was assigned before, used or not', async () => {
  const assigned: string[] = []
  await thenRestore(async () => {
    const take = async (count: number) => {
      for (let i = 0; i < count; i++) {
        const wallet = (await world.wallet()).address
        assigned.push((await findDepositAddress(apiDeps(), wallet))!.owner)
      }
    }
    await take(60)
    // The signer creates new addresses meanwhile, and some of these are assigned too.
    const signer = await world.newSigner()
    await runQuery(
      world.owner,
      `delete from deposit_addresses where wallet is null and index < (select max(index) from deposit_addresses) - 4`,
    )
    await take(3)
    await ensureFreeAddresses(signer, ALL)
    await take(2)
  })
  world.clock.skip(OFFER_LIFE_MS + 60_000)
  // The api may start before the signer.
  await retireStaleAddresses(world.api, world.clock.now())
  expect(await findDepositAddress(apiDeps(), (await world.wallet()).address)).toBeNull()
  world.clock.skip(20 * 60_000)
  await ensureFreeAddresses(await world.newSigner(), ALL)
  const again = await free()
  expect(again).toHaveLength(150)
  expect(again.filter(({ owner }) => assigned.includes(owner))).toEqual([])
})

test('a signer that restarts soon keeps offering the free addresses', async () => {
  const before = await free()
  world.clock.skip(OFFER_LIFE_MS - 75_000)
  await world.newSigner()
  expect(await free()).toEqual(before)
})

test('an address with a history on the chain is never offered to a player', async () => {
  const now = world.clock.now()
  const signer = { ...(await world.newSigner()), clock: { now: () => now } }
  const recreate = async () => {
    await runQuery(world.owner, 'delete from deposit_addresses where wallet is null')
    await ensureFreeAddresses(signer, ALL)
    return free()
  }
  const used = (await recreate())[3]!
  await world.waitUntilFinal(await world.transfer(await createHolder(world, 10), used.owner, cotton(7)))
  expect((await recreate()).map(({ owner }) => owner)).not.toContain(used.owner)
  const [found] = await rows('owner = $1', [used.owner])
  expect(found).toMatchObject({ index: used.index, wallet: null, retired: true })
  await watchFreeAddress({ db: world.watcher, chain: world.chain, clock: world.clock }, found!)
  expect(await receipts(used)).toContainEqual({
    wallet: null,
    asset: 'cotton',
    state: 'unclaimed',
    why: 'of_nobody',
    amount: '7000000',
  })
})

test('a free address that received a transfer is never assigned', async () => {
  const [first, second] = await free()
  const stranger = await createHolder(world, 20)
  await world.waitUntilFinal(await world.transfer(stranger, first!.owner, cotton(5)))
  const stopping = new AbortController().signal
  const deps = { db: world.watcher, chain: world.chain, clock: world.clock, log: world.log }
  const seen: Address[] = []
  for (let round = 0; !seen.includes(first!.owner); round++) {
    expect(round).toBeLessThan(100)
    const due = await readFreeAddresses(world.watcher, { round, atOnce: 20 })
    seen.push(...due.map(({ owner }) => owner))
    if (seen.includes(first!.owner))
      await watchRound(deps, { progress: newWatchProgress(round * 15), stopping })
  }
  const taken = await takeDepositAddress(world.api, { wallet: 'Late', now: world.clock.now() })
  expect(taken!.owner).toBe(second!.owner)
  expect(await receipts(first!)).toContainEqual(
    expect.objectContaining({ wallet: null, asset: 'cotton', state: 'unclaimed', why: 'of_nobody' }),
  )
  // Later transfers are recorded too.
  await world.waitUntilFinal(await world.transfer(stranger, first!.owner, cotton(6)))
  await watchFreeAddress(deps, first!)
  expect((await receipts(first!)).filter(({ asset }) => asset === 'cotton')).toHaveLength(2)
})

test('what arrived before an address was assigned is recorded and not credited', async () => {
  const [next] = await free()
  const former = await createHolder(world, 30)
  await world.waitUntilFinal(await world.transfer(former, next!.owner, cotton(11)))
  await world.waitUntilFinal(await world.gift(former.address, cotton(1)))
  const wallet = (await world.wallet()).address
  const address = (await findDepositAddress(apiDeps(), wallet))!
  expect(address.owner).toBe(next!.owner)
  await world.waitUntilFinal(await world.transfer(former, address.owner, cotton(12)))
  await scanAddress(world, address)
  await scanAddress(world, address)
  expect((await readCreditOf(world.owner, wallet)).deposited).toBe(cotton(12))
  expect(await receipts(address)).toContainEqual({
    wallet,
    asset: 'cotton',
    state: 'unclaimed',
    why: 'before_yours',
    amount: '11000000',
  })
})

test('of fifty players who race with the retirement of a used address, none gets a retired one', async () => {
  const [next] = await free()
  await world.waitUntilFinal(await world.transfer(await createHolder(world, 4), next!.owner, cotton(4)))
  const deps = { db: world.watcher, chain: world.chain, clock: world.clock }
  const taking = Array.from({ length: 50 }, (_, at) =>
    takeDepositAddress(world.api, { wallet: `Racer${at}`, now: world.clock.now() }),
  )
  const [, ...taken] = await Promise.all([watchFreeAddress(deps, next!), ...taking])
  const winner = taken.find((each) => each?.owner === next!.owner)
  const [row] = await rows('owner = $1', [next!.owner])
  // Either it was retired first, or a player was first and the watcher changed nothing.
  expect(row).toMatchObject(
    winner ? { retired: false, wallet: winner.wallet } : { retired: true, wallet: null },
  )
  expect(await receipts(next!)).toHaveLength(winner ? 0 : 1)
})

/** Databases that lose the assignment of an address that a player has seen. Each returns the address. */
const LOSSES: Record<string, (assign: () => Promise<Address>) => Promise<Address>> = {
  'a database that is restored under a running api': thenRestore,
  // It has the same files as the primary, and its server was started at another time.
  async 'a promoted standby that was behind'(assign) {
    const shown = await assign()
    await runQuery(
      world.owner,
      `update deposit_addresses set wallet = null, assigned_at = null, assigned_slot = null where owner = $1`,
      [shown],
    )
    await runQuery(
      world.owner,
      `update settings set value = value || '{"serverStarted": 1}' where name = 'addresses_offered'`,
    )
    return shown
  },
}

for (const [name, lose] of Object.entries(LOSSES))
  test(`${name} assigns no address until the signer has retired what was free`, async () => {
    const [ana, ben] = [(await world.wallet()).address, (await world.wallet()).address]
    await world.newSigner()
    const shown = await lose(async () => (await findDepositAddress(apiDeps(), ana))!.owner)
    expect((await free()).map(({ owner }) => owner)).toContain(shown)
    expect(await findDepositAddress(apiDeps(), ben)).toBeNull()
    await world.newSigner()
    expect(await rows('owner = $1', [shown])).toMatchObject([{ wallet: null, retired: true }])
    expect(await findDepositAddress(apiDeps(), ben)).toMatchObject({ wallet: ben })
  })

test('while the signer is away, players get the addresses that it has offered', async () => {
  await world.newSigner()
  world.clock.skip(24 * 60 * 60_000)
  const wallet = (await world.wallet()).address
  expect(await findDepositAddress(apiDeps(), wallet)).toMatchObject({ wallet })
})

test('addresses that the database has forgotten are not created again two minutes later', async () => {
  const signer = await world.newSigner()
  const tenMinutes = 10 * 60_000
  const start = Math.ceil((world.clock.now().getTime() + 6 * tenMinutes) / tenMinutes) * tenMinutes
  const createAt = async (atMs: number) => {
    await runQuery(world.owner, 'delete from deposit_addresses where wallet is null')
    await ensureFreeAddresses({ ...signer, clock: { now: () => new Date(start + atMs) } }, ALL)
    return (await free()).map(({ owner }) => owner)
  }
  const forgotten = await createAt(60_000)
  const created = await createAt(180_000)
  expect(created).toHaveLength(150)
  expect(created.filter((owner) => forgotten.includes(owner))).toEqual([])
})
