import { randomBytes } from 'node:crypto'
import { getBase58Decoder } from '@solana/kit'
import { pino } from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { baseUnits, cotton } from '#game/cotton.ts'
import { depositEntries } from '#game/credit.ts'
import type { Chain } from '#server/chain/port.ts'
import { takeDepositAddress } from '#server/deposits/take-address.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import type { Signer } from '#server/signer/signer.ts'
import { readPause, resumeWithdrawals } from '#server/withdrawals/withdrawal-pause.ts'
import { createPlayerWith } from '#tests/support/chain-test-players.ts'
import { runQuery, waitUntil } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { takeSnapshot } from './take-snapshot.ts'
import { watchSolvency } from './watch-solvency.ts'

/** A slot that no chain will ever reach. */
const NEVER = 2n ** 60n

const world = setUpChainTestWorld()
let signer: Signer

beforeAll(async () => {
  signer = await world.newSigner()
  // Wait until the pool's funding is final.
  const now = await world.chain.slot('processed')
  await waitUntil(async () => (await world.chain.slot('finalized')) > now)
})

const takeNow = (chain: Chain = world.chain) =>
  takeSnapshot(
    { db: world.watcher, chain },
    { treasury: signer.treasury.address, cold: [], notBefore: 0n, now: world.clock.now() },
  )

/** Writes a deposit that never happened, with the api's login: the journal, and a receipt that refers to it. */
async function forge(
  amount: number,
  { signature, slot, tokenAccount }: { signature: string; slot: bigint; tokenAccount?: string },
): Promise<string> {
  const { address: wallet } = await world.wallet()
  const now = world.clock.now()
  const address = await takeDepositAddress(world.api, { wallet, now })
  await world.api.transaction(async (tx) => {
    const ledger = await openLedger(tx, [wallet])
    const entries = depositEntries(wallet, cotton(amount))
    const journal = ledger.post({ wallet, kind: 'deposit', at: now, detail: { signature }, entries })
    ledger.write()
    await runQuery(
      tx,
      `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, seen_at, credited_at, journal_id)
       values ($1, $2, $3, 'cotton', $4, $5, 'credited', $6, $6, $7)`,
      [signature, tokenAccount ?? address!.tokenAccount, wallet, cotton(amount), slot, now, journal],
    )
  })
  return wallet
}

const inventedSignature = (): string => getBase58Decoder().decode(randomBytes(64))

test('a forged deposit counts as missing tokens, whatever slot it names, and withdrawals are paused', async () => {
  const before = (await takeNow()).surplus
  await forge(100, { signature: inventedSignature(), slot: NEVER })
  expect(await takeNow()).toMatchObject({
    surplus: before - cotton(100),
    uncertain: cotton(100),
    creditedAhead: 0n,
  })
  const { watcher: db, chain, clock, log } = world
  const snapshot = () => waitUntil(async () => (await watchSolvency({ db, chain, clock, log })) !== null)
  await snapshot()
  await snapshot()
  // The shortage is confirmed after a minute, because it could be a lagging node.
  expect(await readPause(world.owner)).toBeNull()
  world.clock.skip(61_000)
  await snapshot()
  expect(await readPause(world.owner)).toMatchObject({ why: 'There are fewer tokens than the game owes.' })
  await resumeWithdrawals(world.owner)
})

test('a forged deposit that names a real transaction of another player counts as missing tokens', async () => {
  const before = (await takeNow()).surplus
  await createPlayerWith(world, { deposited: 70 })
  const [real] = await runQuery<{ signature: string; slot: bigint }>(
    world.owner,
    `select signature, slot from receipts where asset = 'cotton' and state = 'credited' and slot < $1 limit 1`,
    [NEVER],
  )
  await forge(70, { signature: real!.signature, slot: NEVER })
  await waitUntil(async () => (await takeNow()).surplus === before - cotton(70))
  // At the slot before that transaction, only the account that it paid is credited ahead.
  const readAt = (slot: bigint): Chain => ({
    ...world.chain,
    tokenBalances: async (accounts, of) => ({
      slot,
      amounts: (await world.chain.tokenBalances(accounts, of)).amounts,
    }),
  })
  const early = readAt(real!.slot - 1n)
  expect(await takeNow(early)).toMatchObject({ surplus: before, creditedAhead: cotton(70) })
  // A transaction that brought less than the ledger credited proves nothing.
  const less = world.chain.nodes.map((node): Chain['nodes'][number] => ({
    ...node,
    async receipt(...of) {
      const receipt = await node.receipt(...of)
      return receipt && { ...receipt, amount: receipt.amount - 1n }
    },
  }))
  expect(await takeNow({ ...early, nodes: less })).toMatchObject({
    surplus: before - cotton(70),
    creditedAhead: 0n,
  })
  // A real deposit cannot be moved to a later slot.
  await runQuery(world.api, 'update receipts set slot = $2 where signature = $1', [real!.signature, NEVER])
  expect((await takeNow()).surplus).toBe(before - cotton(70))
  expect((await takeNow(readAt(real!.slot))).surplus).toBe(before - cotton(70))
})

test('more forged deposits than are checked at once count once each', async () => {
  const before = await takeNow()
  for (let forged = 0; forged < 9; forged++) await forge(1, { signature: inventedSignature(), slot: NEVER })
  const after = await takeNow()
  expect(after.surplus).toBe(before.surplus - cotton(9))
  expect(after.uncertain).toBe(before.uncertain + cotton(9))
})

test('a forged deposit to an account that is no deposit address counts as missing tokens, whatever slot it names', async () => {
  const before = (await takeNow()).surplus
  const stranger = await world.wallet()
  const tokenAccount = await world.chain.tokenAccountOf(stranger.signer.address)
  await forge(30, { signature: inventedSignature(), slot: NEVER, tokenAccount })
  expect(await takeNow()).toMatchObject({ surplus: before - cotton(30), creditedAhead: 0n, impossible: [] })
})

test.each([
  ['in the past', 1n],
  ['that is never reached', NEVER],
])(
  'a receipt for an impossible address at a slot %s counts as missing tokens and stops nothing',
  async (_, slot) => {
    const before = await takeNow()
    const tokenAccount = `impossible ${slot}`
    await forge(20, { signature: 'impossible', slot, tokenAccount })
    expect(await takeNow()).toMatchObject({
      surplus: before.surplus - cotton(20),
      creditedAhead: before.creditedAhead,
      depositAccounts: before.depositAccounts,
      impossible: expect.arrayContaining([tokenAccount]),
    })
    const logged: { level: number; tokenAccount?: string }[] = []
    const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
    const { watcher: db, chain, clock } = world
    const deps = { db, chain, clock, log, reported: new Set<string>() }
    const snapshot = () => waitUntil(async () => (await watchSolvency(deps)) !== null)
    await snapshot()
    await snapshot()
    expect(logged.filter((line) => line.tokenAccount === tokenAccount)).toHaveLength(1)
    world.clock.skip(61_000)
    await snapshot()
    // The other accounts are still checked, and a reserve with a shortage pays nobody.
    expect(await readPause(world.owner)).toMatchObject({ why: 'There are fewer tokens than the game owes.' })
    await resumeWithdrawals(world.owner)
  },
)

/** The chain, with something that happens after the first balances of a snapshot were read. */
function interruptedBy(happen: () => Promise<unknown>): Chain {
  let happened = false
  return {
    ...world.chain,
    async tokenBalances(...of) {
      const balances = await world.chain.tokenBalances(...of)
      if (!happened) await happen()
      happened = true
      return balances
    },
  }
}

test.each([
  ['at a slot in the past', { slot: 1n }],
  ['at a slot that is never reached', { slot: NEVER }],
  ['to no address', { slot: 1n, tokenAccount: 'no address' }],
])('a deposit %s that is forged while a snapshot is taken counts as missing tokens', async (_, of) => {
  const before = await takeNow()
  const chain = interruptedBy(() => forge(60, { signature: inventedSignature(), ...of }))
  expect(await takeNow(chain)).toMatchObject({
    surplus: before.surplus - cotton(60),
    uncertain: before.uncertain + cotton(60),
    creditedAhead: before.creditedAhead,
  })
})

test('beside a deposit that is credited while a snapshot is taken, a forged one counts as missing tokens', async () => {
  const before = await takeNow()
  const chain = interruptedBy(async () => {
    const { address } = await createPlayerWith(world, { deposited: 30 })
    const real = await takeDepositAddress(world.api, { wallet: address, now: world.clock.now() })
    await forge(60, { signature: inventedSignature(), slot: 1n, tokenAccount: real!.tokenAccount })
  })
  expect(await takeNow(chain)).toMatchObject({
    surplus: before.surplus - cotton(60),
    uncertain: before.uncertain + cotton(60),
    creditedAhead: before.creditedAhead + cotton(30),
  })
})

test('a deposit that is credited while a snapshot is taken is not missing while only another node shows it', async () => {
  const before = await takeNow()
  let slot: bigint | null = null
  const chain: Chain = {
    ...world.chain,
    async tokenBalances(...of) {
      // The node of the balances does not reach a later slot.
      if (slot !== null) return { slot, amounts: of[0].map(() => 0n) }
      const balances = await world.chain.tokenBalances(...of)
      slot = balances.slot
      await createPlayerWith(world, { deposited: 30 })
      return balances
    },
  }
  expect(await takeNow(chain)).toMatchObject({
    surplus: before.surplus,
    uncertain: before.uncertain,
    creditedAhead: before.creditedAhead + cotton(30),
  })
})

test('a forged journal of kind funding does not hide missing tokens', async () => {
  const before = (await takeNow()).surplus
  const wallet = await forge(40, { signature: inventedSignature(), slot: 1n })
  await world.api.transaction(async (tx) => {
    const ledger = await openLedger(tx, [wallet])
    const entries = [
      { wallet, account: 'deposited' as const, amount: baseUnits(-cotton(40)) },
      { wallet, account: 'pool' as const, amount: cotton(40) },
    ]
    const at = new Date(world.clock.now().getTime() + 3_600_000)
    ledger.post({ wallet, kind: 'funding', at, detail: { slot: Number(2n ** 50n) }, entries })
    ledger.write()
  })
  expect((await takeNow()).surplus).toBe(before - cotton(40))
})

test('entries that are added to a journal of kind funding later do not hide missing tokens', async () => {
  const before = (await takeNow()).surplus
  const wallet = await forge(50, { signature: inventedSignature(), slot: 1n })
  await world.api.transaction(async (tx) => {
    // The database checks the entries of each statement. The first moves out of the treasury, the second into the pool.
    const ledger = await openLedger(tx, [wallet])
    const entries = depositEntries(wallet, baseUnits(1n))
    const at = new Date(world.clock.now().getTime() + 3_600_000)
    const detail = { slot: Number(2n ** 50n) }
    const journal = ledger.post({ wallet, kind: 'funding', at, detail, entries })
    ledger.write()
    await runQuery(
      tx,
      `insert into entries (wallet, journal_id, line, account, amount)
       select wallet, $1::uuid, (line + 2)::smallint, 'pool'::ledger_account, amount
       from unnest($2::text[], $3::bigint[]) with ordinality as added (wallet, amount, line)`,
      [journal, [wallet, 'another'], [cotton(50), -cotton(50)]],
    )
  })
  expect((await takeNow()).surplus).toBe(before - cotton(50) - 1n)
})
