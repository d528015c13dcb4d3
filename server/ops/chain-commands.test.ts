import { afterEach, beforeAll, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Chain } from '#server/chain/port.ts'
import { buildPayout } from '#server/chain/transactions.ts'
import { takeDepositAddress } from '#server/deposits/take-address.ts'
import { readWorldBalances } from '#server/ledger/read-world-balances.ts'
import { watchSolvency } from '#server/solvency/watch-solvency.ts'
import { createSigningRound } from '#server/signer/start-signer.ts'
import type { Signer } from '#server/signer/signer.ts'
import { sweepDeposits } from '#server/signer/sweeps/sweep-deposits.ts'
import { createPlayerWith, runUntilSettled, withdraw } from '#tests/support/chain-test-players.ts'
import { runQuery, readCreditOf, waitUntil } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { auditChain } from './audit-chain.ts'
import { readLog } from './operator-log.ts'
import { runCommand } from './ops.ts'

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
const WHY = [...WHO, '--reason', 'why']

/** Runs a command as the operator does, who has no seed, and answers what it said and how it ended. */
async function ops(
  args: string[],
  chain: Chain | null = world.chain,
): Promise<{ said: string; code: number }> {
  const said: string[] = []
  process.exitCode = undefined
  await runCommand(args, {
    db: world.owner,
    clock: world.clock,
    say: (line) => void said.push(line),
    ...(chain === null ? {} : { connect: async () => chain }),
  })
  return { said: said.join('\n'), code: Number(process.exitCode ?? 0) }
}

const auditNow = (chain: Chain = world.chain) =>
  auditChain(
    { db: world.owner, chain, now: world.clock.now(), wait: async () => undefined },
    { treasury: signer.treasury.address, cold: [] },
  )

const newestLogged = async () => (await readLog(world.owner, 1))[0]!

/** A chain that shows so much more or less on one account. */
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

/** A payout from the treasury's own key that no withdrawal owes. */
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

test('a game at work agrees with its chain, and so it says', async () => {
  const players = await Promise.all([30, 40].map((deposited) => createPlayerWith(world, { deposited })))
  for (const player of players) await withdraw(world, player, cotton(10))
  const settling = runUntilSettled(world, signer, players)
  const during = await ops(['audit', '--chain', 'required'])
  await settling
  expect(during).toEqual({ said: 'The books are clean.\nThe chain agrees with them.', code: 0 })
  await sweepDeposits(signer)
  expect(await ops(['audit', '--chain=required'])).toEqual(during)
})

test('an audit that cannot ask the chain says so, and fails only where it is required', async () => {
  const alone = await ops(['audit'], null)
  expect(alone).toEqual({ said: expect.stringContaining('They were NOT held against the chain.'), code: 0 })
  expect(await ops(['audit', '--chain', 'required'], null)).toMatchObject({ code: 1 })
  await expect(ops(['audit', '--chain', 'perhaps'])).rejects.toThrow('--chain is required')
})

test('the audit names a deposit account and a treasury that hold something else', async () => {
  const player = await createPlayerWith(world, { deposited: 0 })
  const address = (await takeDepositAddress(world.api, { wallet: player.address, now: world.clock.now() }))!
  const more = await auditNow(differing(address.tokenAccount, 5_000_000n))
  expect(more.findings).toEqual([
    {
      law: 'a deposit account holds what was received there and not swept',
      what: `${address.owner} of ${player.address}`,
      found: '0 credited, 0 unclaimed, 0 swept, 5 on the chain: not credited yet?',
    },
  ])
  const less = await auditNow(differing(signer.treasuryTokens, -1n))
  expect(less.findings.map(({ law }) => law)).toEqual([
    'tokens on the chain cover what is owed',
    'treasury and cold storage hold what was swept and funded, less what was paid',
  ])
  expect(less.findings[0]!.found).toBe('0.000001 $COTTON are missing')
})

test('what differs for a moment only is no finding', async () => {
  const once = differing(signer.treasuryTokens, -1n)
  let looks = 0
  const { findings } = await auditNow({
    ...world.chain,
    tokenBalances: (accounts, of) => (looks++ === 0 ? once : world.chain).tokenBalances(accounts, of),
  })
  expect(findings).toEqual([])
})

test('the audit names a withdrawal that the books call paid and the chain does not', async () => {
  const player = await createPlayerWith(world, { deposited: 10 })
  const { id } = await withdraw(world, player, cotton(10))
  await runUntilSettled(world, signer, [player])
  const forgetful: Chain = {
    ...world.chain,
    statuses: async (signatures) => (await world.chain.statuses(signatures)).map(() => null),
  }
  const { findings } = await auditNow(forgetful)
  expect(findings).toContainEqual({
    law: 'every withdrawal that was paid has its payout on the chain',
    what: id,
    found: expect.stringMatching(/ is unknown$/),
  })
})

test('tokens that nobody is owed come into the pool once, and no others', async () => {
  const before = await readWorldBalances(world.owner)
  await expect(ops(['fund', '0.000001', ...WHY])).rejects.toThrow(
    'The treasury holds 0 $COTTON that nobody is owed',
  )
  expect((await newestLogged()).outcome).toMatch(/^Refused: The treasury holds 0/)
  await world.waitUntilFinal(await world.gift(signer.treasury.address, cotton(500)))
  expect((await ops(['audit'])).said).toContain('500 $COTTON in the treasury belong to nobody')
  const tries = Array.from({ length: 3 }, () => ops(['fund', '300', ...WHY]))
  const done = await Promise.allSettled(tries)
  expect(done.filter((each) => each.status === 'fulfilled')).toHaveLength(1)
  expect((await ops(['fund', '199.999999', ...WHY])).said).toMatch(/^Funded: the pool has /)
  await expect(ops(['fund', '0.000002', ...WHY])).rejects.toThrow('holds 0.000001 $COTTON')
  const after = await readWorldBalances(world.owner)
  expect(after.pool - before.pool).toBe(499_999_999n)
  expect(after.treasury - before.treasury).toBe(499_999_999n)
  expect(await newestLogged()).toMatchObject({ who: 'ana', command: 'fund', reason: 'why' })
  await ops(['fund', '0.000001', ...WHY])
  expect((await auditNow()).findings).toEqual([])
})

test('a deposit that is not credited yet never becomes the pool’s, swept or not', async () => {
  const player = await createPlayerWith(world, { deposited: 50 })
  const address = (await takeDepositAddress(world.api, { wallet: player.address, now: world.clock.now() }))!
  await world.waitUntilFinal(await world.gift(player.address, cotton(70)))
  await world.waitUntilFinal(await world.transfer(player, address.owner, cotton(70)))
  await expect(ops(['fund', '1', ...WHY])).rejects.toThrow('holds 0 $COTTON')
  // The sweep takes all that lies there.
  await sweepDeposits(signer)
  await waitUntil(async () => {
    await sweepDeposits(signer)
    return (await world.tokenBalanceOf(address.owner)) === 0n
  })
  await expect(ops(['fund', '1', ...WHY])).rejects.toThrow('holds 0 $COTTON')
  const { said, code } = await ops(['reconcile', ...WHO])
  expect({ said, code }).toEqual({
    said: expect.stringContaining('1 deposits of 70 $COTTON were credited now.'),
    code: 0,
  })
  expect((await readCreditOf(world.owner, player.address)).deposited).toBe(cotton(120))
  expect((await ops(['reconcile', ...WHO])).said).toContain('no deposit was missed')
  expect((await auditNow()).findings).toEqual([])
})

test('spelled wrongly, a command costs nothing', async () => {
  const { pool } = await readWorldBalances(world.owner)
  for (const amount of ['-5', '0', 'much', '1.0000001', '1e3']) {
    await expect(ops(['fund', amount, ...WHY]), amount).rejects.toThrow('is no amount')
  }
  await expect(ops(['fund', '5', ...WHO])).rejects.toThrow('--reason is missing')
  await expect(ops(['fund', ...WHY])).rejects.toThrow('0 words were given')
  await expect(ops(['fund', '5', ...WHY], null)).rejects.toThrow('There is no way to the chain')
  await expect(ops(['reconcile', 'now'])).rejects.toThrow('1 words were given')
  await expect(ops(['top-up', '--by', 'ana'])).rejects.toThrow('There is no option')
  expect((await readWorldBalances(world.owner)).pool).toBe(pool)
})

test('top-up and status tell what the treasury holds, what waits, and whether anybody looks', async () => {
  const player = await createPlayerWith(world, { deposited: 90 })
  await withdraw(world, player, cotton(90))
  const { said } = await ops(['top-up'])
  expect(said).toContain(signer.treasury.address)
  expect(said).toContain(world.chain.facts.mint)
  expect(said).toMatch(/waiting to be paid +1, 90 \$COTTON/)
  expect(said).toMatch(/\$COTTON +[\d,.]+, floor 100,000, no cap/)
  expect(said).toMatch(/SOL +\d+(\.\d+)?, ABOVE its cap of 50: /)
  expect(said).toMatch(/paid a day +[\d.,]+ \$COTTON in [\d.]+ payouts/)
  expect(said).toMatch(/\$COTTON lasts +for [\d,]+ days/)
  expect((await ops(['status'])).said).toMatch(/reserve +NOBODY HAS LOOKED YET/)
  await waitUntil(
    async () =>
      (await watchSolvency({ ...world.apiDeps, db: world.watcher, chain: world.chain, log: world.log })) !==
      null,
  )
  const status = (await ops(['status'])).said
  expect(status).toMatch(/reserve +covers what is owed, and 0 more, at slot \d+/)
  expect(status).toMatch(/treasury on the chain +[\d,.]+ \$COTTON, \d+(\.\d+)? SOL/)
  expect((await ops(['status'], null)).said).toMatch(/treasury on the chain +not asked: There is no way/)
  world.clock.skip(3_600_000)
  expect((await ops(['status'])).said).toMatch(/reserve +NOBODY LOOKS/)
  world.clock.skip(-3_600_000)
  await runUntilSettled(world, signer, [player])
})

test('reconciling believes what the chain says of a payout that the history does not show, and names one that never was', async () => {
  const player = await createPlayerWith(world, { deposited: 10 })
  const { id } = await withdraw(world, player, cotton(10))
  await runUntilSettled(world, signer, [player])
  const behind: Chain = { ...world.chain, history: async () => [] }
  expect(await ops(['reconcile', ...WHO], behind)).toMatchObject({ code: 0 })
  const statuses: Chain['statuses'] = async (of) => of.map(() => null)
  const nodes = world.chain.nodes.map((node) => ({ ...node, statuses }))
  expect(await ops(['reconcile', ...WHO], { ...behind, statuses, nodes })).toEqual({
    said: expect.stringContaining(
      `withdrawal ${id} of 10 $COTTON is paid in the books, and the chain shows no payout.`,
    ),
    code: 1,
  })
})

test('reconciling names a payout that the books do not owe, and changes nothing about it', async () => {
  const id = '00000000-0000-4000-8000-000000000007'
  await steal(cotton(3), id)
  const { said, code } = await ops(['reconcile', ...WHO])
  expect(said).toMatch(
    new RegExp(
      `DIFFERS {2}transaction \\S+ paid 3 \\$COTTON to \\S+, but the books know no withdrawal ${id}`,
    ),
  )
  expect(code).toBe(1)
  expect(await newestLogged()).toMatchObject({
    command: 'reconcile',
    outcome: expect.stringContaining('1 differ from the books'),
  })
  expect((await auditNow()).findings).toHaveLength(2)
  await world.waitUntilFinal(await world.gift(signer.treasury.address, cotton(3)))
  expect((await auditNow()).findings).toEqual([])
})
