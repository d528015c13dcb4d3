import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { type Chain, ChainUnavailable } from '#server/chain/port.ts'
import { buildPayout, buildSweep } from '#server/chain/transactions.ts'
import { takeDepositAddress } from '#server/deposits/take-address.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { readWorldBalances } from '#server/ledger/read-world-balances.ts'
import { watchSolvency } from '#server/solvency/watch-solvency.ts'
import { createSigningRound } from '#server/signer/start-signer.ts'
import type { Signer } from '#server/signer/signer.ts'
import { sweepDeposits } from '#server/signer/sweeps/sweep-deposits.ts'
import { createPlayerWith, runUntilSettled, withdraw } from '#tests/support/chain-test-players.ts'
import { runQuery, readCreditOf, waitUntil } from '#tests/support/chain-test-world.ts'
import { createHolder, scanAddress } from '#tests/support/depositors.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { auditChain } from './audit-chain.ts'
import { readLog } from './operator-log.ts'
import { makeOps } from '#tests/support/operators.ts'

const world = setUpChainTestWorld()
let signer: Signer

beforeAll(async () => {
  signer = await world.newSigner()
  await waitUntil(async () => (await world.tokenBalanceOf(signer.treasury.address)) > 0n)
})

afterEach(() => {
  process.exitCode = undefined
})

const WHO = ['--by', 'ana']
const { operators, run } = makeOps(world)
const SIGNED = operators.key('ana')
const WHY = [...SIGNED, '--reason', 'why']

/** Runs a command as the operator does, without the seed, and returns its output and exit code. */
async function ops(
  args: string[],
  chain: Chain | null = world.chain,
): Promise<{ output: string; code: number }> {
  process.exitCode = undefined
  const output = await run(args, chain === null ? {} : { connect: async () => chain })
  return { output, code: Number(process.exitCode ?? 0) }
}

const auditNow = (chain: Chain = world.chain) =>
  auditChain(
    { db: world.owner, chain, now: world.clock.now(), wait: async () => undefined },
    { treasury: signer.treasury.address, cold: [] },
  )

const newestLogged = async () => (await readLog(world.owner, 1))[0]!

/** A chain that shows one account's balance changed by `by`. */
function differing(account: string, by: bigint): Chain {
  const { tokenBalance, tokenBalances } = world.chain
  return {
    ...world.chain,
    tokenBalance: async (at, commitment) => (await tokenBalance(at, commitment)) + (at === account ? by : 0n),
    async tokenBalances(accounts, of) {
      const { slot, amounts } = await tokenBalances(accounts, of)
      return { slot, amounts: amounts.map((each, at) => each + (accounts[at] === account ? by : 0n)) }
    },
  }
}

/** Sends a payout, signed with the treasury's key, that no withdrawal owes. */
async function steal(amount: bigint, id: string): Promise<void> {
  const thief = await world.wallet()
  await createSigningRound(signer)()
  const read = async () =>
    (await runQuery<{ nonce_account: string }>(world.owner, 'select nonce_account from lanes limit 1'))[0]
  await waitUntil(async () => {
    await createSigningRound(signer)()
    return (await read()) !== undefined
  })
  const nonceAccount = (await read())!.nonce_account as Parameters<Chain['nonceValue']>[0]
  const nonce = (await world.chain.nonceValue(nonceAccount, 'finalized'))!
  const { signature, wire } = await buildPayout({
    token: world.chain.facts,
    treasury: signer.treasury,
    lane: { nonceAccount, nonce },
    wallet: thief.signer.address,
    amount,
    id,
  })
  await world.chain.send(wire)
  await world.waitUntilFinal(signature)
}

test('the audit of a running game finds no difference to the chain', async () => {
  const players = await Promise.all([30, 40].map((deposited) => createPlayerWith(world, { deposited })))
  for (const player of players) await withdraw(world, player, cotton(10))
  const settling = runUntilSettled(world, signer, players)
  const during = await ops(['audit', '--chain', 'required'])
  await settling
  expect(during).toEqual({ output: 'The ledger has no errors.\nThe chain agrees with it.', code: 0 })
  await sweepDeposits(signer)
  expect(await ops(['audit', '--chain=required'])).toEqual(during)
})

test('an audit without the chain says so, and fails only if the chain is required', async () => {
  const alone = await ops(['audit'], null)
  expect(alone).toEqual({
    output: expect.stringContaining('The ledger was NOT compared with the chain.'),
    code: 0,
  })
  expect(await ops(['audit', '--chain', 'required'], null)).toMatchObject({ code: 1 })
  await expect(ops(['audit', '--chain', 'perhaps'])).rejects.toThrow('--chain must be required')
})

test('the audit reports a deposit account and a treasury with unexpected balances', async () => {
  const player = await createPlayerWith(world, { deposited: 0 })
  const address = (await takeDepositAddress(world.api, { wallet: player.address, now: world.clock.now() }))!
  const more = await auditNow(differing(address.tokenAccount, 5_000_000n))
  expect(more.findings).toEqual([
    {
      law: 'a deposit account holds what was received and not swept',
      what: `${address.owner} of ${player.address}`,
      found: '0 credited, 0 unclaimed, 0 swept, 5 on the chain; perhaps a deposit that is not credited yet',
    },
  ])
  const less = await auditNow(differing(signer.treasuryTokens, -1n))
  expect(less.findings.map(({ law }) => law)).toEqual([
    'tokens on the chain cover what is owed',
    'treasury and cold storage hold what was swept and funded, minus what was paid',
  ])
  expect(less.findings[0]!.found).toBe('0.000001 $COTTON missing')
})

test('audit and status work while what is pending exceeds a bigint', async () => {
  const { address: wallet } = await createPlayerWith(world, { deposited: 0 })
  const address = (await takeDepositAddress(world.api, { wallet, now: world.clock.now() }))!
  await runQuery(
    world.owner,
    `insert into receipts (signature, token_account, wallet, asset, amount, slot, state, seen_at)
     values ('huge', $1, $2, 'cotton', $3, 1, 'pending', now())`,
    [address.tokenAccount, wallet, String(2n ** 64n - 1n)],
  )
  expect((await auditNow()).findings).toEqual([])
  expect((await ops(['status'])).output).toMatch(/deposits pending +\d+, 18,446,744,073,709/)
  await runQuery(world.owner, `delete from receipts where signature = 'huge'`)
})

test('the audit works after what was ever swept and paid exceeds a bigint', async () => {
  const amount = String(4n * 10n ** 18n)
  await runQuery(
    world.owner,
    `insert into sweeps (id, token_account, amount, signature, wire, last_valid_height, state, at)
     select gen_random_uuid(), 'nobody', $1::bigint, 'huge' || n, ''::bytea, 1, 'finalized', '2020-01-01'::timestamptz
     from generate_series(1, 3) n`,
    [amount],
  )
  await runQuery(
    world.owner,
    `insert into restored_payouts (signature, withdrawal_id, amount, borne, borne_journal_id)
     select 'huge' || n, gen_random_uuid(), $1::bigint, $1::bigint, gen_random_uuid() from generate_series(1, 3) n`,
    [amount],
  )
  expect((await auditNow()).findings).toEqual([])
  await runQuery(world.owner, `delete from sweeps where signature like 'huge%'`)
  await runQuery(world.owner, `delete from restored_payouts where signature like 'huge%'`)
})

test('the audit reads only those accounts again that differ', async () => {
  const { address: wallet } = await createPlayerWith(world, { deposited: 0 })
  const { tokenAccount } = (await takeDepositAddress(world.api, { wallet, now: world.clock.now() }))!
  const [free] = await runQuery<{ account: string }>(
    world.owner,
    'select token_account as account from deposit_addresses where wallet is null limit 1',
  )
  const chain = differing(tokenAccount, 5_000_000n)
  const read: string[] = []
  const tokenBalances: Chain['tokenBalances'] = (accounts, of) => {
    read.push(...accounts)
    return chain.tokenBalances(accounts, of)
  }
  const { findings } = await auditNow({ ...chain, tokenBalances })
  expect(findings).toHaveLength(1)
  const times = (account: string) => read.filter((each) => each === account).length
  expect([times(free!.account), times(tokenAccount)]).toEqual([1, 6])
})

test('a difference that disappears within seconds is not reported', async () => {
  const once = differing(signer.treasuryTokens, -1n)
  let reads = 0
  const { findings } = await auditNow({
    ...world.chain,
    tokenBalances: (accounts, of) => (reads++ === 0 ? once : world.chain).tokenBalances(accounts, of),
  })
  expect(findings).toEqual([])
})

test('the audit reports a withdrawal that is paid in the books but not on the chain', async () => {
  const player = await createPlayerWith(world, { deposited: 10 })
  const { id } = await withdraw(world, player, cotton(10))
  await runUntilSettled(world, signer, [player])
  const forgetful: Chain = {
    ...world.chain,
    statuses: async (signatures) => (await world.chain.statuses(signatures)).map(() => null),
  }
  const { findings } = await auditNow(forgetful)
  expect(findings).toContainEqual({
    law: 'every paid withdrawal has its payout on the chain',
    what: id,
    found: expect.stringMatching(/ is unknown$/),
  })
})

test('only tokens that are not owed can be added to the pool, and only once', async () => {
  const before = await readWorldBalances(world.owner)
  await expect(ops(['fund', '0.000001', ...WHY])).rejects.toThrow(
    'The treasury has 0 $COTTON that are not owed',
  )
  expect((await newestLogged()).outcome).toMatch(/^Refused: The treasury has 0/)
  await world.waitUntilFinal(await world.gift(signer.treasury.address, cotton(500)))
  expect((await ops(['audit'])).output).toContain('500 $COTTON in the treasury are not owed to anybody')
  const tries = Array.from({ length: 3 }, () => ops(['fund', '300', ...WHY]))
  const done = await Promise.allSettled(tries)
  expect(done.filter((each) => each.status === 'fulfilled')).toHaveLength(1)
  expect((await ops(['fund', '199.999999', ...WHY])).output).toMatch(/^Funded: the pool now has /)
  await expect(ops(['fund', '0.000002', ...WHY])).rejects.toThrow('has 0.000001 $COTTON')
  const after = await readWorldBalances(world.owner)
  expect(after.pool - before.pool).toBe(499_999_999n)
  expect(after.treasury - before.treasury).toBe(499_999_999n)
  expect(await newestLogged()).toMatchObject({ who: 'ana', command: 'fund', reason: 'why' })
  await ops(['fund', '0.000001', ...WHY])
  expect((await auditNow()).findings).toEqual([])
})

test('a deposit that is not credited yet cannot be added to the pool, swept or not', async () => {
  const player = await createPlayerWith(world, { deposited: 50 })
  const address = (await takeDepositAddress(world.api, { wallet: player.address, now: world.clock.now() }))!
  await world.waitUntilFinal(await world.gift(player.address, cotton(70)))
  await world.waitUntilFinal(await world.transfer(player, address.owner, cotton(70)))
  await expect(ops(['fund', '1', ...WHY])).rejects.toThrow('has 0 $COTTON')
  // The sweep takes the whole balance.
  await sweepDeposits(signer)
  await waitUntil(async () => {
    await sweepDeposits(signer)
    return (await world.tokenBalanceOf(address.owner)) === 0n
  })
  await expect(ops(['fund', '1', ...WHY])).rejects.toThrow('has 0 $COTTON')
  const { output, code } = await ops(['reconcile', ...WHO])
  expect({ output, code }).toEqual({
    output: expect.stringContaining('1 missed deposits of 70 $COTTON credited.'),
    code: 0,
  })
  expect((await readCreditOf(world.owner, player.address)).deposited).toBe(cotton(120))
  expect((await ops(['reconcile', ...WHO])).output).toContain('no missed deposits')
  // No node can answer for one address.
  const history: Chain['history'] = (of, query) =>
    of === address.owner ? Promise.reject(new ChainUnavailable('no list')) : world.chain.history(of, query)
  const unread = await ops(['reconcile', ...WHO], { ...world.chain, history })
  expect(unread.code).toBe(1)
  expect(unread.output).toContain(
    `DIFFERS  the deposits of ${address.owner} could not be read: ChainUnavailable: no list`,
  )
  expect(unread.output).toMatch(/, 1 addresses could not be read\..* Differences: 1\./)
  expect((await auditNow()).findings).toEqual([])
})

test('swept tokens that nobody was credited can be added to the pool, and the audit agrees', async () => {
  const { address: wallet } = await world.wallet()
  // They arrive in an earlier slot than the one in which the address became the player's.
  const later = { wallet, now: world.clock.now(), slot: 10n ** 15n }
  const address = (await takeDepositAddress(world.api, later))!
  const sender = await createHolder(world, 70)
  await world.waitUntilFinal(await world.transfer(sender, address.owner, cotton(70)))
  await scanAddress(world, address)
  expect((await auditNow()).findings).toEqual([])
  const [found] = await runQuery<{ index: number }>(
    world.owner,
    'select index from deposit_addresses where owner = $1',
    [address.owner],
  )
  const { wire, signature } = await buildSweep({
    token: world.chain.facts,
    depositOwner: await signer.keys.depositKey(found!.index),
    treasury: signer.treasury,
    amount: cotton(70),
    id: randomUUID(),
    lifetime: await world.chain.latestBlockhash('confirmed'),
  })
  await world.chain.send(wire)
  await world.waitUntilFinal(signature)
  expect((await ops(['reconcile', ...WHO])).output).toContain('1 missed sweeps recorded.')
  await ops(['fund', '70', ...WHY])
  expect((await auditNow()).findings).toEqual([])
  // A deposit that is credited later and not swept.
  const own = 'update deposit_addresses set assigned_slot = null where owner = $1'
  await runQuery(world.owner, own, [address.owner])
  await world.waitUntilFinal(await world.gift(sender.address, cotton(5)))
  await world.waitUntilFinal(await world.transfer(sender, address.owner, cotton(5)))
  await scanAddress(world, address)
  expect((await readCreditOf(world.owner, wallet)).deposited).toBe(cotton(5))
  expect((await auditNow()).findings).toEqual([])
})

test('a command with invalid arguments changes nothing', async () => {
  const { pool } = await readWorldBalances(world.owner)
  for (const amount of ['-5', '0', 'much', '1.0000001', '1e3']) {
    await expect(ops(['fund', amount, ...WHY]), amount).rejects.toThrow('is not a valid amount')
  }
  await expect(ops(['fund', '5', ...SIGNED])).rejects.toThrow('--reason is missing')
  await expect(ops(['fund', ...WHY])).rejects.toThrow('Expected 1 words, got 0')
  await expect(ops(['reconcile', ...WHO], null)).rejects.toThrow('has no connection to the chain')
  await expect(ops(['reconcile', 'now'])).rejects.toThrow('Expected 0 words, got 1')
  await expect(ops(['top-up', '--by', 'ana'])).rejects.toThrow('There is no option')
  expect((await readWorldBalances(world.owner)).pool).toBe(pool)
})

test('a command during which the chain stops answering ends with one sentence', async () => {
  const history: Chain['history'] = async () => {
    throw new ChainUnavailable('No Solana node answers')
  }
  const failing = { ...world.chain, history }
  for (const args of [['restored'], ['acknowledge', '4'.repeat(88), ...WHY]])
    await expect(ops(args, failing)).rejects.toBeInstanceOf(StartupError)
})

test('top-up and status show what the treasury holds, open withdrawals, and the last reserve check', async () => {
  const player = await createPlayerWith(world, { deposited: 90 })
  await withdraw(world, player, cotton(90))
  const { output } = await ops(['top-up'])
  expect(output).toContain(signer.treasury.address)
  expect(output).toContain(world.chain.facts.mint)
  expect(output).toMatch(/open withdrawals +1, 90 \$COTTON/)
  expect(output).toMatch(/\$COTTON +[\d,.]+, floor 100,000, no cap/)
  expect(output).toMatch(/SOL +\d+(\.\d+)?, ABOVE the cap of 50: /)
  expect(output).toMatch(/paid per day +[\d.,]+ \$COTTON in \d+\.\d payouts, average/)
  expect(output).toMatch(/\$COTTON lasts +for [\d,]+ days/)
  expect((await ops(['status'])).output).toMatch(/reserve +NEVER CHECKED/)
  await waitUntil(
    async () =>
      (await watchSolvency({ ...world.apiDeps, db: world.watcher, chain: world.chain, log: world.log })) !==
      null,
  )
  const status = (await ops(['status'])).output
  expect(status).toMatch(/reserve +covers what is owed, with a surplus of 0 \$COTTON, at slot \d+/)
  expect(status).toMatch(/treasury on the chain +[\d,.]+ \$COTTON, \d+(\.\d+)? SOL/)
  expect((await ops(['status'], null)).output).toMatch(
    /treasury on the chain +unknown: This command has no connection/,
  )
  world.clock.skip(3_600_000)
  expect((await ops(['status'])).output).toMatch(/reserve +UNCHECKED/)
  world.clock.skip(-3_600_000)
  await runUntilSettled(world, signer, [player])
})

test('reconcile accepts a payout by its status if the history lacks it, and reports one that never landed', async () => {
  const player = await createPlayerWith(world, { deposited: 10 })
  const { id } = await withdraw(world, player, cotton(10))
  await runUntilSettled(world, signer, [player])
  const behind: Chain = { ...world.chain, history: async () => [] }
  expect(await ops(['reconcile', ...WHO], behind)).toMatchObject({ code: 0 })
  const statuses: Chain['statuses'] = async (of) => of.map(() => null)
  const nodes = world.chain.nodes.map((node) => ({ ...node, statuses }))
  expect(await ops(['reconcile', ...WHO], { ...behind, statuses, nodes })).toEqual({
    output: expect.stringContaining(
      `withdrawal ${id} of 10 $COTTON is paid in the books, but the chain shows no payout.`,
    ),
    code: 1,
  })
})

test('reconcile reports a payout that the books do not owe, and changes nothing about it', async () => {
  const id = '00000000-0000-4000-8000-000000000007'
  await steal(cotton(3), id)
  const { output, code } = await ops(['reconcile', ...WHO])
  expect(output).toMatch(
    new RegExp(
      `DIFFERS {2}transaction \\S+ paid 3 \\$COTTON to \\S+, but withdrawal ${id} is not in the books`,
    ),
  )
  expect(code).toBe(1)
  expect(await newestLogged()).toMatchObject({
    command: 'reconcile',
    outcome: expect.stringContaining('Differences: 1.'),
  })
  expect((await auditNow()).findings).toHaveLength(2)
  await world.waitUntilFinal(await world.gift(signer.treasury.address, cotton(3)))
  expect((await auditNow()).findings).toEqual([])
})

test('top-up says how long the SOL lasts while it pays for sweeps alone', async () => {
  await world.skipDays(8)
  const lasts = async () => /SOL lasts +(.*)/.exec((await ops(['top-up'])).output)?.[1]
  expect(await lasts()).toMatch(/^indefinitely/)
  await createPlayerWith(world, { deposited: 40 })
  await waitUntil(async () => {
    await sweepDeposits(signer)
    return /^for [\d,]+ days/.test((await lasts()) ?? '')
  })
})
