import { randomBytes } from 'node:crypto'
import { getProgramDerivedAddress } from '@solana/kit'
import { expect, test, vi } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { type Address, type Chain, type ChainNode, ChainUnavailable, type Wire } from '#server/chain/port.ts'
import { readWorldBalances } from '#server/ledger/read-world-balances.ts'
import type { Sql } from '#server/platform/db/db.ts'
import { takeTerm, TermLostError } from '#server/platform/role-term.ts'
import { OutageStartupError } from '#server/platform/startup-error.ts'
import { readNewestWithdrawal, createPlayerWith, withdraw } from '#tests/support/chain-test-players.ts'
import { runQuery } from '#tests/support/chain-test-world.ts'
import { planOf, recordStatements } from '#tests/support/generic-plan.ts'
import { createNode } from '#tests/support/nodes.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { bindChain } from './keys/bind-chain.ts'
import { createKeyRing } from './keys/key-ring.ts'
import { isOrdinaryWallet } from './review/ordinary-wallet.ts'
import { ensureFreeAddresses } from './keys/ensure-free-addresses.ts'
import { fundLocalPool } from './fund-local-pool.ts'
import { reviewRequests } from './review/review-requests.ts'
import { openSigner } from './signer.ts'
import { createSigningRound, fenceChain } from './start-signer.ts'

const world = setUpChainTestWorld({ signer: 'later' })

test('the pool is funded once, however often the signer starts and wherever it was killed', async () => {
  const signer = await world.newSigner()
  await Promise.all([fundLocalPool(signer, world.rpcUrl), fundLocalPool(signer, world.rpcUrl)])
  // As after a crash between chain and ledger: the tokens exist, the row does not.
  await world.owner.transaction(async (tx) => {
    await runQuery(tx, 'set local session_replication_role = replica')
    await runQuery(tx, `delete from settings where name = 'pool_funded'`)
    await runQuery(tx, 'delete from entries')
    await runQuery(tx, 'delete from journals')
    // The triggers did not run for these changes.
    await runQuery(tx, 'select fill_totals()')
  })
  for (let starts = 0; starts < 3; starts++) await world.newSigner()
  expect(await readWorldBalances(world.owner)).toEqual({
    treasury: cotton(100_000_000),
    pool: cotton(100_000_000),
    held: 0n,
  })
  expect(await world.chain.tokenBalance(signer.treasuryTokens, 'processed')).toBe(cotton(100_000_000))
})

test('another chain, cluster, token or seed is refused with one sentence', async () => {
  const signer = await world.newSigner()
  const facts = world.chain.facts
  const on = (changed: Partial<typeof facts>) => ({
    ...signer,
    chain: { ...world.chain, facts: { ...facts, ...changed } },
  })
  await expect(bindChain(on({ genesisHash: 'other' }))).rejects.toThrow('another chain')
  await expect(bindChain(on({ mint: signer.treasury.address }))).rejects.toThrow('COTTON_MINT is')
  await expect(bindChain(on({ cluster: 'devnet' }))).rejects.toThrow(
    'CLUSTER is devnet, but this database belongs to a game on local',
  )
  const keys = await createKeyRing(Uint8Array.from(randomBytes(64)))
  const stranger = await openSigner({ ...signer, keys })
  await expect(bindChain(stranger)).rejects.toThrow('seed is not the one of this database')
  await bindChain(signer)
})

test('with several nodes, the database is bound only to a chain that two of them agree on', async () => {
  const signer = await world.newSigner()
  const [removed] = await runQuery<{ value: object }>(
    world.owner,
    `delete from settings where name = 'chain' returning value`,
  )
  const silent = createNode(world.chain, {
    genesisHash: () => Promise.reject(new ChainUnavailable('no answer in time')),
  })
  const liar = createNode(world.chain, { genesisHash: async () => 'another' })
  const over = (...nodes: ChainNode[]) => bindChain({ ...signer, chain: { ...world.chain, nodes } })
  const honest = createNode(world.chain)
  for (const nodes of [
    [honest, silent],
    [honest, liar],
    [silent, liar, honest],
  ] as const)
    await expect(over(...nodes)).rejects.toThrow(/^Only one node of SOLANA_RPC_URL answers/)
  expect(await runQuery(world.owner, `select from settings where name = 'chain'`)).toEqual([])
  await over(honest, silent, honest)
  const [bound] = await runQuery<{ value: object }>(
    world.owner,
    `select value from settings where name = 'chain'`,
  )
  expect(bound).toEqual(removed)
  // Once the database is bound, one node is enough.
  await over(honest, silent)
})

const countFree = async (): Promise<bigint> => {
  const text = 'select count(*) as free from deposit_addresses where wallet is null and retired_at is null'
  const [count] = await runQuery<{ free: bigint }>(world.owner, text)
  return count!.free
}

test('addresses are created until 150 are free, each only once', async () => {
  const signer = await world.newSigner()
  await runQuery(world.owner, 'delete from deposit_addresses where wallet is null')
  const create = (limitMs: number) => ensureFreeAddresses(signer, { limitMs })
  await create(0)
  expect(await countFree()).toBe(3n)
  await Promise.all([create(60_000), create(60_000)])
  expect(await countFree()).toBe(150n)
  await create(60_000)
  expect(await countFree()).toBe(150n)
})

test('addresses cost few calls at once, as small plans allow, and a round does not wait for all', async () => {
  const signer = await world.newSigner()
  await runQuery(world.owner, 'delete from deposit_addresses where wallet is null')
  let [open, most] = [0, 0]
  // The first calls wait for each other, so that a slow machine counts them, too. Fewer than six wait until the test fails.
  const six = Promise.withResolvers<void>()
  const history: Chain['history'] = async (...of) => {
    most = Math.max(most, (open += 1))
    if (open === 6) setTimeout(six.resolve, 20)
    await six.promise
    return world.chain.history(...of).finally(() => (open -= 1))
  }
  let atMs = world.clock.now().getTime()
  const clock = { now: () => new Date((atMs += 1_000)) }
  await ensureFreeAddresses({ ...signer, clock, chain: { ...world.chain, history } }, { limitMs: 3_000 })
  expect(most).toBe(6)
  expect(await countFree()).toBe(9n)
})

test('while no node shows a history, a signer that needs addresses ends as in an outage, and starts once one does', async () => {
  await world.newSigner()
  await runQuery(world.owner, 'delete from deposit_addresses where wallet is null')
  const history: Chain['history'] = () => Promise.reject(new ChainUnavailable('no answer in time'))
  const starting = world.newSigner({ ...world.chain, history })
  // The supervisor lets the game start without it, and starts it again.
  await expect(starting).rejects.toMatchObject({ constructor: OutageStartupError })
  await expect(starting).rejects.toThrow('SOLANA_RPC_URL does not answer: no answer in time.')
  await world.newSigner()
})

test('a round goes on while no address is free and no node shows the history of a new one', async () => {
  const signer = await world.newSigner()
  await runQuery(world.owner, 'delete from deposit_addresses where wallet is null')
  const treasuryAccount = await world.chain.tokenAccountOf(signer.treasury.address as Address)
  const history: Chain['history'] = (address, options) =>
    address === treasuryAccount
      ? world.chain.history(address, options)
      : Promise.reject(new ChainUnavailable('no answer in time'))
  const warn = vi.spyOn(signer.log, 'warn')
  await createSigningRound({ ...signer, chain: { ...world.chain, history } })()
  expect(warn).toHaveBeenCalledWith(
    { reason: 'no answer in time' },
    'no deposit address is free, and none can be created',
  )
  await createSigningRound(signer)()
  expect(await countFree()).toBe(150n)
})

test('a round does not read the addresses of all players', async () => {
  const signer = await world.newSigner()
  await runQuery(
    world.owner,
    `insert into deposit_addresses (index, owner, token_account, wallet, assigned_at)
     select n, 'owner ' || n, 'tokens ' || n, 'wallet ' || n, now() from generate_series(1, 3000) n`,
  )
  await runQuery(world.owner, 'vacuum analyze deposit_addresses')
  const sent = new Map<string, Sql>()
  const db = { ...signer.db, rows: recordStatements(signer.db, sent).rows }
  await ensureFreeAddresses({ ...signer, db }, { limitMs: 0 })
  const plan = (await planOf(world.owner, sent.get('addresses-count')!)).join('\n')
  expect(plan, plan).toContain('using deposit_addresses_free on')
  expect(plan, plan).not.toContain('Seq Scan')
})

test('payouts go only to wallets that have a private key', async () => {
  const { signer } = await world.wallet()
  expect(isOrdinaryWallet(signer.address)).toBe(true)
  const [program] = await getProgramDerivedAddress({
    programAddress: world.chain.facts.tokenProgram,
    seeds: ['farm'],
  })
  for (const wallet of [
    program,
    await world.chain.tokenAccountOf(signer.address as Address),
    '11111111111111111111111111111111',
    '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM',
    'not-an-address',
    '',
  ]) {
    expect(isOrdinaryWallet(wallet)).toBe(false)
  }
})

test('a withdrawal that the ledger does not hold is not approved', async () => {
  const signer = await world.newSigner()
  const wallet = await createPlayerWith(world, { deposited: 100 })
  await withdraw(world, wallet, cotton(5))
  await runQuery(world.owner, 'update withdrawals set deposited = deposited + 1 where wallet = $1', [
    wallet.address,
  ])
  const row = `insert into withdrawals (id, wallet, deposited, earned, hold_id, nonce, wallet_signature, day, requested_at)
     select gen_random_uuid(), wallet, 5000000, 0, gen_random_uuid(), $2, wallet_signature, day, requested_at
     from withdrawals where wallet = $1`
  await runQuery(world.api, row, [wallet.address, 'f'.repeat(32)])
  await reviewRequests(signer)
  const states = await runQuery<{ state: string }>(
    world.owner,
    'select state from withdrawals where wallet = $1',
    [wallet.address],
  )
  expect(states).toEqual([{ state: 'review' }, { state: 'review' }])
  expect((await readNewestWithdrawal(world, wallet)).reason).toMatch(/We need to check our records/)
})

test('a database that has lost what was sent has lost a renewal, too, and nothing more is sent', async () => {
  const { signer: db, owner, log } = world
  const term = await takeTerm({ db, role: 'signer', holder: 'here', log })
  // It renews only when something is sent.
  await term.end({ release: false })
  const send: Chain['send'] = async () => ({ state: 'unknown', detail: 'no answer' })
  const chain = fenceChain({ ...world.chain, send }, term)
  const [before] = await runQuery<{ renewals: bigint }>(owner, 'select renewals from role_terms')
  await chain.send('' as Wire)
  await term.check(db)
  await runQuery(owner, 'update role_terms set renewals = $1', [before!.renewals])
  await expect(chain.send('' as Wire)).rejects.toThrow(TermLostError)
})
