import { afterEach, beforeAll, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { readHistory } from '#server/account/read-history.ts'
import { type Address, type Chain, ChainUnavailable } from '#server/chain/port.ts'
import { readBooks } from '#server/console/read-books.ts'
import { creditDeposits } from '#server/deposits/credit-deposits.ts'
import { takeDepositAddress } from '#server/deposits/take-address.ts'
import { readWorldBalances } from '#server/ledger/read-world-balances.ts'
import { readActOutcome } from '#server/operators/operator-acts.ts'
import { takeSnapshot } from '#server/solvency/take-snapshot.ts'
import { readTransparency } from '#server/solvency/read-transparency.ts'
import { readWithdrawable } from '#server/withdrawals/read-withdrawals.ts'
import { createSigningRound } from '#server/signer/start-signer.ts'
import type { Signer } from '#server/signer/signer.ts'
import { restoreBackup, takeBackup } from '#tests/support/backup.ts'
import {
  readNewestWithdrawal,
  createPlayerWith,
  runUntilSettled,
  withdraw,
} from '#tests/support/chain-test-players.ts'
import { runQuery, readCreditOf, type TestWallet, waitUntil } from '#tests/support/chain-test-world.ts'
import { makeOps } from '#tests/support/operators.ts'
import { createNode } from '#tests/support/nodes.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { auditChain } from './audit-chain.ts'
import { readLog } from './operator-log.ts'

const world = setUpChainTestWorld()
const CLEAN = { output: 'The ledger has no errors.\nThe chain agrees with it.', code: 0 }
const BY = ['--by', 'ana']
const { operators, run, submit, execute } = makeOps(world)
const SIGNED = operators.key('ana')
const WHY = [...SIGNED, '--reason', 'It was paid before we came back from a backup.']

beforeAll(async () => {
  const { treasury } = await world.newSigner()
  await waitUntil(async () => (await world.tokenBalanceOf(treasury.address)) > 0n)
})

afterEach(async () => {
  process.exitCode = undefined
  await runQuery(world.owner, `delete from settings where name = 'withdrawals_paused'`)
})

/** Runs a command as the operator does, without the seed, and returns its output and exit code. */
async function ops(args: string[], chain: Chain = world.chain): Promise<{ output: string; code: number }> {
  process.exitCode = undefined
  const output = await run(args, { connect: async () => chain }, { chain })
  return { output, code: Number(process.exitCode ?? 0) }
}

/** The findings of the audit, without delays between its attempts. */
async function chainFindings() {
  const { treasury } = await world.newSigner()
  const deps = { db: world.owner, chain: world.chain, now: world.clock.now(), wait: async () => undefined }
  return (await auditChain(deps, { treasury: treasury.address, cold: [] })).findings
}

const addressOf = async ({ address }: TestWallet) =>
  (await takeDepositAddress(world.api, { wallet: address, now: world.clock.now() }))!

/** Makes a deposit on the chain, and credits it if `credited`, as the watcher does. */
async function deposit(wallet: TestWallet, amount: number, credited = true): Promise<void> {
  const address = await addressOf(wallet)
  await world.waitUntilFinal(await world.gift(wallet.address, cotton(amount)))
  await world.waitUntilFinal(await world.transfer(wallet, address.owner, cotton(amount)))
  if (credited) await creditDeposits({ db: world.watcher, chain: world.chain, clock: world.clock }, address)
}

/** Runs a newly started signer until this holds. */
async function runUntil(signer: Signer, condition: () => Promise<boolean>): Promise<void> {
  const round = createSigningRound(signer)
  await waitUntil(async () => (await round(), condition()))
}

const isReady = async () => (await ops(['status'])).output.includes('ready: the books were compared')

const openSweeps = () => runQuery(world.owner, `select from sweeps where state = 'signed'`)

const allEmpty = async (wallets: readonly TestWallet[]) => {
  const accounts = await Promise.all(wallets.map(async (wallet) => (await addressOf(wallet)).owner))
  const tokens = await Promise.all(accounts.map((owner) => world.tokenBalanceOf(owner)))
  return tokens.every((each) => each === 0n) && (await openSweeps()).length === 0
}

test('sweeps that a restored backup lacks are recorded from the chain, new deposits are swept, and the audit is clean', async () => {
  const early = await Promise.all(Array.from({ length: 26 }, () => createPlayerWith(world, { deposited: 5 })))
  await runUntil(await world.newSigner(), () => allEmpty(early))
  await takeBackup(world.owner)
  await Promise.all(early.map((wallet) => deposit(wallet, 7)))
  await runUntil(await world.newSigner(), () => allEmpty(early))
  const swept = () =>
    runQuery(
      world.owner,
      `select signature, token_account, amount from sweeps where state = 'finalized' order by 1`,
    )
  const before = await swept()
  await restoreBackup(world.owner)
  for (const wallet of early) {
    const address = await addressOf(wallet)
    await creditDeposits({ db: world.watcher, chain: world.chain, clock: world.clock }, address)
  }
  await runUntil(await world.newSigner(), async () => (await swept()).length === before.length)
  expect(await swept()).toEqual(before)
  expect(await ops(['audit', '--chain', 'required'])).toEqual(CLEAN)
  const late = await Promise.all(Array.from({ length: 3 }, () => createPlayerWith(world, { deposited: 50 })))
  await runUntil(await world.newSigner(), () => allEmpty(late))
  expect(await ops(['reconcile', ...BY])).toMatchObject({ code: 0 })
  expect(await ops(['audit', '--chain', 'required'])).toEqual(CLEAN)
})

test(
  'reconcile records missed sweeps too, whatever the signer has read, and none twice',
  { tags: 'variant' },
  async () => {
    const wallet = await createPlayerWith(world, { deposited: 8 })
    await runUntil(await world.newSigner(), () => allEmpty([wallet]))
    await runQuery(world.owner, 'delete from sweeps')
    expect(await chainFindings()).not.toEqual([])
    const nodes = [createNode(world.chain), createNode(world.chain, { receipt: async () => null })]
    expect(await ops(['reconcile', ...BY], { ...world.chain, nodes })).toEqual({
      output: expect.stringContaining('DIFFERS  the nodes do not agree about a sweep: try again later.'),
      code: 1,
    })
    const runs = await Promise.all([1, 2, 3].map(() => ops(['reconcile', ...BY])))
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0])
    const recorded = runs.map(({ output }) => Number(/(\d+) missed sweeps recorded/.exec(output)?.[1] ?? 0))
    expect(recorded.reduce((sum, each) => sum + each)).toBe(
      (await runQuery(world.owner, 'select from sweeps')).length,
    )
    expect(await ops(['audit', '--chain', 'required'])).toEqual(CLEAN)
  },
)

/** Pays `amount` to each of these wallets, and restores a backup from before the payouts. */
async function payAndRestore(
  wallets: readonly TestWallet[],
  amount: number,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  await takeBackup(world.owner)
  await meanwhile()
  for (const wallet of wallets) await withdraw(world, wallet, cotton(amount))
  await runUntilSettled(world, await world.newSigner(), wallets)
  await restoreBackup(world.owner)
  await runUntil(await world.newSigner(), isReady)
}

/** The transaction in the list's line about a wallet. */
const transactionOf = ({ address }: TestWallet, output: string) =>
  new RegExp(`^(\\S+)  .* to ${address},`, 'm').exec(output)![1]!

const surplus = async () => {
  const { treasury } = await world.newSigner()
  const at = { treasury: treasury.address, cold: [], notBefore: 0n, now: world.clock.now() }
  return (await takeSnapshot({ db: world.owner, chain: world.chain }, at)).surplus
}

test('payouts that a restored backup lacks are listed, taken back once each, and then books and chain agree', async () => {
  const deposited = [9, 9, 9, 2, 2, 2]
  const wallets = await Promise.all(deposited.map((each) => createPlayerWith(world, { deposited: each })))
  for (const { address } of wallets.slice(3)) await ops(['adjust', address, '7', '--class', 'earned', ...WHY])
  await payAndRestore(wallets, 5)
  // Players read one short sentence, whatever the number of payouts.
  const reason = 'The chain shows payouts that the books do not owe.'
  expect((await readTransparency(world.api, world.clock.now())).pause?.reason).toBe(reason)
  expect((await readWithdrawable(world.apiDeps, wallets[0]!.address)).pause?.reason).toBe(reason)
  expect(await surplus()).toBe(-cotton(30))
  const listed = await ops(['restored'])
  for (const { address } of wallets)
    expect(listed.output).toMatch(
      new RegExp(`^\\S+  5 \\$COTTON to ${address}, withdrawal \\S+ \\(not in the books\\): OPEN$`, 'm'),
    )
  expect(listed).toMatchObject({ output: expect.stringContaining('6 of them are still open'), code: 1 })
  expect(await ops(['reconcile', ...BY])).toMatchObject({ code: 1 })
  // The console lists what the signer has reported, and signs the same act.
  const onConsole = (await readBooks(world.owner, world.clock.now())).restored
  expect(onConsole.map(({ wallet, open, isTaken }) => `${wallet} ${open} ${isTaken}`).toSorted()).toEqual(
    wallets.map(({ address }) => `${address} 5 false`).toSorted(),
  )
  const asking = ['restored', '--take-back', ...WHY.slice(2), '--operator', operators.of('ana').wallet]
  await expect(ops(asking.filter((each) => each !== '--take-back'))).rejects.toThrow('Without --take-back')
  const aside: string[] = []
  const connect = async () => world.chain
  const message = await run(asking, { connect, warn: (line) => void aside.push(line) })
  expect(message).toMatch(/^Cotton Farm operator, .*\nAct: take back 6 payouts .*\nExpires: \S+$/s)
  expect(aside.join()).toContain('6 of them are still open.')
  expect((await ops(['status'])).output).toMatch(/^payouts not owed +6 of 30 \$COTTON: see /m)
  const resuming = ['resume', 'withdrawals', ...asking.slice(2)]
  const resume = await run(resuming, { warn: (line) => void aside.push(line) })
  expect(resume).toMatch(/^Cotton Farm operator, /)
  expect(aside.at(-1)).toMatch(/^WARNING: The books do not owe payouts .*: 6 of 30 \$COTTON: see /)
  const before = await readWorldBalances(world.owner)
  const runs = await Promise.allSettled([1, 2, 3].map(() => ops(['restored', '--take-back', ...WHY])))
  // Those that come too late have signed what is open no longer.
  expect(runs.flatMap((each) => (each.status === 'fulfilled' ? [each.value.output] : [])).join()).toContain(
    '0 of them are still open.',
  )
  for (const wallet of wallets.slice(0, 3))
    expect(await readCreditOf(world.owner, wallet.address)).toEqual({ deposited: cotton(4), earned: 0n })
  for (const wallet of wallets.slice(3))
    expect(await readCreditOf(world.owner, wallet.address)).toEqual({ deposited: 0n, earned: cotton(4) })
  expect((await readBooks(world.owner, world.clock.now())).restored).toEqual([])
  const after = await readWorldBalances(world.owner)
  expect(before.treasury - after.treasury).toBe(cotton(30))
  expect(before.pool - after.pool).toBe(cotton(9))
  expect(await surplus()).toBe(0n)
  const { items } = await readHistory(world.api, { wallet: wallets[0]!.address, before: undefined, limit: 1 })
  expect(items).toMatchObject([
    { kind: 'adjustment', amount: -5, detail: { reason: 'It was paid before we came back from a backup.' } },
  ])
  for (let again = 0; again < 2; again++) {
    expect(await ops(['reconcile', ...BY])).toMatchObject({ code: 0 })
    expect(await ops(['restored'])).toMatchObject({ code: 0 })
  }
  expect((await ops(['status'])).output).not.toContain('payouts not owed')
  expect(await ops(['audit', '--chain', 'required'])).toEqual(CLEAN)
  await ops(['resume', 'withdrawals', ...WHY])
  // A signer that starts later does not pause withdrawals again.
  await runQuery(world.owner, `delete from settings where name = 'payouts_read_to'`)
  await runUntil(await world.newSigner(), isReady)
  expect((await readWithdrawable(world.apiDeps, wallets[0]!.address)).paused).toBe(false)
})

test('deposits since the backup cover the payouts, and the rest is a debt that the pool can pay', async () => {
  const wallet = await createPlayerWith(world, { deposited: 1 })
  const address = await addressOf(wallet)
  await payAndRestore([wallet], 5, async () => {
    await deposit(wallet, 2)
    // Credit that only the lost books contained.
    await ops(['adjust', wallet.address, '2', '--class', 'deposited', ...WHY])
  })
  expect(address.owner).toBe((await addressOf(wallet)).owner)
  const taken = await ops(['restored', '--take-back', ...WHY])
  expect(taken).toEqual({
    output: expect.stringContaining('taken back 3 deposited and 0 earned; DEBT of 2'),
    code: 1,
  })
  expect(taken.output).toContain('Took back 3 of 5 $COTTON in 1 payouts: 2 $COTTON remain as debt.')
  const signature = transactionOf(wallet, taken.output)
  expect((await readBooks(world.owner, world.clock.now())).restored).toEqual([
    { signature, wallet: wallet.address, amount: '5', open: '2', isTaken: true },
  ])
  expect(await surplus()).toBe(-cotton(2))
  const differs = await ops(['reconcile', ...BY])
  expect(differs).toEqual({ output: expect.stringContaining('2 $COTTON of it are a debt.'), code: 1 })
  const { pool } = await readWorldBalances(world.owner)
  expect(await ops(['acknowledge', signature, ...WHY, '--debt', 'pool'])).toEqual({
    output: `Acknowledged: 2 $COTTON of 5 to ${wallet.address} are paid from the pool.`,
    code: 0,
  })
  expect(pool - (await readWorldBalances(world.owner)).pool).toBe(cotton(2))
  expect(await surplus()).toBe(0n)
  await expect(ops(['acknowledge', signature, ...WHY, '--debt', 'pool'])).rejects.toThrow(
    'It is already handled',
  )
  expect(await ops(['reconcile', ...BY])).toMatchObject({ code: 0 })
  expect(await ops(['audit', '--chain', 'required'])).toEqual(CLEAN)
  expect((await readLog(world.owner, 1))[0]).toMatchObject({ command: 'reconcile', who: 'ana' })
})

test('nothing is taken back while the deposits of a paid wallet cannot be read: they may cover it', async () => {
  const wallet = await createPlayerWith(world, { deposited: 1 })
  const { tokenAccount } = await addressOf(wallet)
  await payAndRestore([wallet], 3, () => deposit(wallet, 2))
  const history: Chain['history'] = (of, query) =>
    of === tokenAccount
      ? Promise.reject(new ChainUnavailable('no answer in time'))
      : world.chain.history(of, query)
  await expect(ops(['restored', '--take-back', ...WHY], { ...world.chain, history })).rejects.toThrow(
    `Nothing was taken back: the deposits of ${wallet.address} could not be read`,
  )
  const ofWallet = 'select from restored_payouts where wallet = $1'
  expect(await runQuery(world.owner, ofWallet, [wallet.address])).toEqual([])
  expect((await ops(['restored', '--take-back', ...WHY])).output).toContain('no debt remains')
})

test('an acknowledged payout is no longer reported, and its tokens are missing until they are replaced', async () => {
  const wallet = await createPlayerWith(world, { deposited: 6 })
  await payAndRestore([wallet], 4)
  const { output } = await ops(['restored'])
  const signature = transactionOf(wallet, output)
  await expect(ops(['acknowledge', 'nothing', ...WHY])).rejects.toThrow('The chain shows no payout nothing')
  await expect(ops(['acknowledge', signature, ...SIGNED])).rejects.toThrow('--reason is missing')
  await expect(ops(['acknowledge', signature, ...WHY, '--debt', 'me'])).rejects.toThrow('--debt must be pool')
  const many = ['--reason', 'x'.repeat(301)]
  await expect(ops(['acknowledge', signature, ...SIGNED, ...many])).rejects.toThrow('at most 300 characters')
  expect((await ops(['acknowledge', signature, ...WHY])).output).toContain(
    'are missing until the same number',
  )
  expect(await ops(['reconcile', ...BY])).toMatchObject({ code: 0 })
  // An acknowledged payout is not taken back.
  await ops(['restored', '--take-back', ...WHY])
  expect((await readCreditOf(world.owner, wallet.address)).deposited).toBe(cotton(6))
  expect(await chainFindings()).not.toEqual([])
  const { treasury } = await world.newSigner()
  await world.waitUntilFinal(await world.gift(treasury.address, cotton(4)))
  expect(await ops(['audit', '--chain', 'required'])).toEqual(CLEAN)
})

test('a payout whose withdrawal is still open is left to the signer', async () => {
  const wallet = await createPlayerWith(world, { deposited: 6 })
  await withdraw(world, wallet, cotton(4))
  await takeBackup(world.owner)
  await runUntilSettled(world, await world.newSigner(), [wallet])
  const { signature } = await readNewestWithdrawal(world, wallet)
  await restoreBackup(world.owner)
  const { output, code } = await ops(['restored', '--take-back', ...WHY])
  expect(output).toContain(`${signature}  4 $COTTON to ${wallet.address}`)
  expect(output).toContain('(requested in the books): WAITS for the signer')
  expect(code).toBe(1)
  await expect(ops(['acknowledge', signature!, ...WHY])).rejects.toThrow('The signer will settle it')
  await runUntilSettled(world, await world.newSigner(), [wallet])
  expect(await ops(['restored'])).toMatchObject({ code: 0 })
  expect((await readCreditOf(world.owner, wallet.address)).deposited).toBe(cotton(2))
})

test('a wallet counts as the recipient of a payout only if its own token account received all of it', async () => {
  const wallet = await createPlayerWith(world, { deposited: 6 })
  await payAndRestore([wallet], 4)
  const receipt: Chain['receipt'] = async (...of) => {
    const actual = await world.chain.receipt(...of)
    const elsewhere = (account: Address) => ({ account, owner: wallet.signer.address, amount: cotton(4) })
    return actual && { ...actual, changes: [elsewhere(of[1].tokenAccount)] }
  }
  const nodes = [createNode(world.chain, { receipt })]
  const lying = { ...world.chain, receipt, nodes }
  expect((await ops(['restored'], lying)).output).toContain('4 $COTTON to no single wallet')
  const two = { ...lying, nodes: [...nodes, createNode(world.chain)] }
  expect(await ops(['restored', '--take-back', ...WHY], two)).toEqual({
    output: expect.stringContaining('the nodes do not agree about it: try again later'),
    code: 1,
  })
  expect((await readCreditOf(world.owner, wallet.address)).deposited).toBe(cotton(6))
  expect(await ops(['restored', '--take-back', ...WHY])).toMatchObject({ code: 0 })
  expect((await readCreditOf(world.owner, wallet.address)).deposited).toBe(cotton(2))
})

test('a payout in a gap of one node’s history is listed, and two nodes must show the history', async () => {
  const wallet = await createPlayerWith(world, { deposited: 6 })
  await payAndRestore([wallet], 4)
  const history: Chain['history'] = async () => []
  const silent: Chain['history'] = async () => Promise.reject(new ChainUnavailable('no answer in time'))
  const over = (second: Chain['history']): Chain => ({
    ...world.chain,
    history,
    nodes: [createNode(world.chain, { history }), createNode(world.chain, { history: second })],
  })
  await expect(ops(['restored'], over(silent))).rejects.toThrow('Fewer than two nodes show')
  const { output } = await ops(['restored'], over(world.chain.history))
  expect(output).toContain(`4 $COTTON to ${wallet.address}`)
  expect(await ops(['restored', '--take-back', ...WHY])).toMatchObject({ code: 0 })
})

test('an acknowledgement waits while the nodes do not agree about its payout', async () => {
  const wallet = await createPlayerWith(world, { deposited: 6 })
  await payAndRestore([wallet], 4)
  const transaction = transactionOf(wallet, (await ops(['restored'])).output)
  const reason = 'The pool pays it.'
  const nonce = await submit('ana', { kind: 'acknowledge', transaction, amount: '4', debt: 'pool', reason })
  const nodes = [createNode(world.chain), createNode(world.chain, { receipt: async () => null })]
  const disagreeing = { ...world.chain, nodes }
  await execute({ chain: disagreeing })
  expect(await readActOutcome(world.owner, nonce)).toMatchObject({ state: 'waiting' })
  await expect(ops(['acknowledge', transaction, ...WHY], disagreeing)).rejects.toThrow('do not agree about')
  await execute()
  expect(await readActOutcome(world.owner, nonce)).toMatchObject({ state: 'done' })
  expect(await ops(['audit', '--chain', 'required'])).toEqual(CLEAN)
})

test('status shows the stage of the signer, and when it is not running', async () => {
  await takeBackup(world.owner)
  await runQuery(world.owner, `delete from settings where name = 'signer_state'`)
  expect((await ops(['status'])).output).toMatch(/signer +has never run on this database/)
  const signer = await world.newSigner()
  await createSigningRound({ ...signer, chain: { ...world.chain, nonceValue: async () => null } })()
  expect((await ops(['status'])).output).toMatch(/signer +NOT READY: advancing the nonces/)
  await runUntil(signer, isReady)
  expect((await ops(['status'])).output).toMatch(/signer +ready: .* \(started \S+Z, last seen \S+Z\)/)
  for (const changed of [180_000, -180_000]) {
    world.clock.skip(changed)
    expect((await ops(['status'])).output).toMatch(/signer +NOT RUNNING: last seen at /)
    world.clock.skip(-changed)
  }
})
