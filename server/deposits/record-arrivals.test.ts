import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Address, Receipt, Signature } from '#server/chain/port.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { countDbStatements, type StatementLog } from '#tests/support/count-statements.ts'
import { createReceipt } from '#tests/support/nodes-with-histories.ts'
import type { TestPlayer } from '#tests/support/test-player.ts'
import { test, type TestWorld } from '#tests/support/test-world.ts'
import type { Arrival } from './read-arrivals.ts'
import { recordArrivals } from './record-arrivals.ts'

let count = 0

/** A new player, whose address was assigned at slot 10. */
async function newPlayer({ db }: TestWorld) {
  const at = ++count
  const address = {
    wallet: `wallet ${at}`,
    owner: `owner ${at}` as Address,
    tokenAccount: `account ${at}` as Address,
    assignedSlot: 10n,
  }
  await runQuery(
    db,
    `insert into deposit_addresses (index, owner, token_account, wallet, assigned_at, assigned_slot)
     values ($1, $2, $3, $4, now(), 10)`,
    [at, address.owner, address.tokenAccount, address.wallet],
  )
  return address
}

/** A final arrival at a slot after the assignment. */
function arrival(receipt: Partial<Receipt> | null, of: Partial<Arrival> = {}): Arrival {
  const signature = `signature ${++count}` as Signature
  const slot = of.slot ?? 20n
  return {
    signature,
    slot,
    final: true,
    waitsFor: null,
    receipt: receipt && createReceipt({ signature, slot, ...receipt }),
    ...of,
  }
}

const record = (
  { db, clock }: TestWorld,
  address: Awaited<ReturnType<typeof newPlayer>>,
  arrivals: Arrival[],
) => db.transaction((tx) => recordArrivals(tx, { address, arrivals, clock, cursor: null }))

const receiptsOf = ({ db }: TestWorld, { wallet }: { wallet: string }) =>
  runQuery<{ asset: string; state: string; why: string | null }>(
    db,
    'select asset, state, why from receipts where wallet = $1 order by slot',
    [wallet],
  )

const wrongToken = {
  account: 'a foreign account' as Address,
  mint: 'a mint' as Address,
  tokenProgram: 'a program' as Address,
  amount: 1n,
}

test('an address is active after an arrival of $COTTON, SOL or another token, and not after one of nothing', async ({
  world,
}) => {
  const isActiveAfter = async (...arrivals: Arrival[]) => {
    const address = await newPlayer(world)
    await record(world, address, arrivals)
    const [row] = await runQuery<{ active: boolean }>(
      world.db,
      'select lively_at is not null as active from deposit_addresses where owner = $1',
      [address.owner],
    )
    return row!.active
  }
  expect(await isActiveAfter()).toBe(false)
  expect(await isActiveAfter(arrival({}))).toBe(false)
  expect(await isActiveAfter(arrival(null))).toBe(false)
  expect(await isActiveAfter(arrival({ amount: cotton(1) }))).toBe(true)
  expect(await isActiveAfter(arrival({ lamports: 1n }))).toBe(true)
  expect(await isActiveAfter(arrival({ unsupported: [wrongToken] }))).toBe(true)
  expect(await isActiveAfter(arrival({}), arrival({ lamports: 1n }))).toBe(true)
})

test('a deposit in the slot in which its address was assigned is credited, and an earlier one is not', async ({
  world,
}) => {
  const address = await newPlayer(world)
  const early = arrival({ amount: cotton(1) }, { slot: 9n })
  expect(await record(world, address, [early, arrival({ amount: cotton(2) }, { slot: 10n })])).toEqual([])
  expect(await receiptsOf(world, address)).toEqual([
    { asset: 'cotton', state: 'unclaimed', why: 'before_yours' },
    { asset: 'cotton', state: 'credited', why: null },
  ])
  expect(await world.credit({ wallet: address.wallet } as TestPlayer)).toEqual({
    deposited: cotton(2),
    earned: 0n,
  })
})

test('a deposit whose block was replaced is recorded with the amount and slot of the final block', async ({
  world,
}) => {
  const address = await newPlayer(world)
  for (const finalSlot of [30n, 9n]) {
    const seen = arrival({ amount: cotton(1) }, { final: false, slot: finalSlot - 1n })
    const final = { ...seen, final: true, slot: finalSlot, receipt: { ...seen.receipt!, amount: cotton(2) } }
    await record(world, address, [seen])
    await record(world, address, [final])
  }
  const rows = await runQuery(
    world.db,
    'select state, amount::text, slot::text from receipts where wallet = $1 order by receipts.slot',
    [address.wallet],
  )
  expect(rows).toEqual([
    { state: 'unclaimed', amount: '2000000', slot: '9' },
    { state: 'credited', amount: '2000000', slot: '30' },
  ])
})

test('only a finalized deposit that waits for a second node is returned', async ({ world }) => {
  const address = await newPlayer(world)
  const young = arrival({ amount: cotton(1) }, { final: false })
  const large = arrival({ amount: cotton(9) }, { final: false, waitsFor: 'second_node' })
  const done = arrival({ amount: cotton(3) })
  expect(await record(world, address, [young, large, done])).toEqual([
    { signature: large.signature, amount: '9000000', why: 'second_node' },
  ])
  expect(await record(world, address, [young])).toEqual([])
})

test('the journal of a deposit names its transaction', async ({ world }) => {
  const address = await newPlayer(world)
  const deposit = arrival({ amount: cotton(4) })
  await record(world, address, [deposit])
  const [journal] = await runQuery(
    world.db,
    `select j.detail from journals j join receipts r on r.journal_id = j.id where r.wallet = $1`,
    [address.wallet],
  )
  expect(journal).toEqual({ detail: { signature: deposit.signature } })
})

test('what is credited already is not written again', async ({ world }) => {
  const address = await newPlayer(world)
  const deposit = arrival({ amount: cotton(4) })
  const sentFor = async (arrivals: Arrival[]) => {
    const log: StatementLog = { names: [], roundTrips: 0 }
    await record({ ...world, db: countDbStatements(world.db, log) }, address, arrivals)
    return log.names.filter((name) => name.startsWith('deposits-'))
  }
  expect(await sentFor([deposit])).toContain('deposits-insert-credited')
  expect(await sentFor([deposit])).toEqual(['deposits-find-entered', 'deposits-mark-active'])
  expect(await sentFor([])).toEqual([])
})
