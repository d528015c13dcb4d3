import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { readHistory } from '#server/account/read-history.ts'
import { type Chain } from '#server/chain/port.ts'
import { runRepeatedly, type RunningRounds } from '#server/platform/run-rounds.ts'
import { readWorldBalances } from '#server/ledger/read-world-balances.ts'
import { watchSolvency } from '#server/solvency/watch-solvency.ts'
import { applyApprovals } from '#server/signer/review/approvals.ts'
import { readWithdrawable, readWithdrawals } from '#server/withdrawals/read-withdrawals.ts'
import { signApproved } from '#server/signer/payouts/sign-approved.ts'
import { createSigningRound } from '#server/signer/start-signer.ts'
import type { Signer } from '#server/signer/signer.ts'
import { pauseWithdrawals } from '#server/withdrawals/withdrawal-pause.ts'
import {
  readNewestWithdrawal,
  createPlayerWith,
  runUntilSettled,
  withdraw,
} from '#tests/support/chain-test-players.ts'
import { runQuery, readCreditOf, type TestWallet, waitUntil } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { countPayouts } from '#tests/support/payouts.ts'
import { auditBooks } from './audit-books.ts'
import { type Logged, readLog } from './operator-log.ts'
import { runCommand } from './ops.ts'

const world = setUpChainTestWorld()
/** Where tokens are worth something, nothing is paid that nobody watches. */
let watch: RunningRounds

beforeAll(async () => {
  const { watcher: db, chain, clock, log } = world
  watch = runRepeatedly(async () => void (await watchSolvency({ db, chain, clock, log })), {
    intervalMs: 200,
    log,
  })
})

afterEach(async () => {
  expect(await auditBooks(world.owner)).toEqual([])
})

afterAll(async () => {
  await watch.stop()
})

/** Runs a command as the operator does and answers what it said. */
async function ops(...args: string[]): Promise<string> {
  const said: string[] = []
  await runCommand(args, { db: world.owner, clock: world.clock, say: (line) => void said.push(line) })
  return said.join('\n')
}

async function newestLogged(): Promise<Logged> {
  return (await readLog(world.owner, 1))[0]!
}

/** A signer on a chain where tokens are worth something, so that the policy holds larger withdrawals back. */
async function carefulSigner(): Promise<Signer> {
  const chain: Chain = { ...world.chain, facts: { ...world.chain.facts, cluster: 'mainnet' } }
  return world.newSigner(chain)
}

/** A withdrawal that waits for the operator. */
async function inReview(signer: Signer, wallet: TestWallet, amount: number): Promise<string> {
  const { id } = await withdraw(world, wallet, cotton(amount))
  await createSigningRound(signer)()
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ id, state: 'review' })
  return id
}

/** Lets a signer work until it would have signed whatever it may sign. */
async function roundsUntilReady(signer: Signer): Promise<void> {
  const round = createSigningRound(signer)
  await waitUntil(async () => {
    await round()
    return signer.lanes.size > 0 && [...signer.lanes.values()].every((lane) => lane.safeSince !== null)
  })
  await round()
}

test('what an operator approves is paid once, and nothing before', async () => {
  const wallet = await createPlayerWith(world, { deposited: 50_000 })
  const signer = await carefulSigner()
  const id = await inReview(signer, wallet, 20_000)
  for (const round = createSigningRound(signer); !signer.lanes.size;) await round()
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'review', signature: null })
  expect(await ops('withdrawals', '--state', 'review')).toContain(id)
  expect(await ops('approve', id, '--by', 'Ana')).toContain('Approved: 20,000')
  expect(await newestLogged()).toMatchObject({ who: 'ana', command: 'approve', arguments: { id } })
  await expect(ops('approve', id, '--by', 'ben')).rejects.toThrow('approved by ana already')
  await runUntilSettled(world, signer, [wallet])
  expect(await countPayouts(world, id)).toBe(1)
  await expect(ops('approve', id, '--by', 'ben')).rejects.toThrow('was paid')
  await expect(ops('reject', id, '--by', 'ben', '--reason', 'too late')).rejects.toThrow('was paid')
})

test('above the limit two different people must approve', async () => {
  const wallet = await createPlayerWith(world, { deposited: 150_000 })
  const signer = await carefulSigner()
  const id = await inReview(signer, wallet, 100_001)
  expect(await ops('approve', id, '--by', 'ana')).toContain('a second person must')
  await expect(ops('approve', id, '--by', ' ANA ')).rejects.toThrow('another person must')
  await roundsUntilReady(signer)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'review', signature: null })
  expect(await ops('withdrawals')).toContain('approved 1 of 2 times by ana')
  expect(await ops('approve', id, '--by', 'ben')).toContain('Approved: 100,001 $COTTON')
  await runUntilSettled(world, signer, [wallet])
  expect(await countPayouts(world, id)).toBe(1)
})

test('a rejected withdrawal gives back every class and the budget, and says why', async () => {
  const wallet = await createPlayerWith(world, { deposited: 11_000 })
  await ops('adjust', wallet.address, '900.25', '--class', 'earned', '--by', 'ana', '--reason', 'a prize')
  const before = await readWithdrawable(world.apiDeps, wallet.address)
  const credit = await readCreditOf(world.owner, wallet.address)
  const signer = await carefulSigner()
  const id = await inReview(signer, wallet, 11_500)
  expect(await ops('reject', id, '--by', 'ana', '--reason', 'Write to us first.')).toContain(
    'deposited 11,000, earned 500',
  )
  expect(await readCreditOf(world.owner, wallet.address)).toEqual(credit)
  expect(await readWithdrawable(world.apiDeps, wallet.address)).toEqual(before)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({
    state: 'refunded',
    reason: 'Write to us first.',
  })
  const { items } = await readHistory(world.api, { wallet: wallet.address, before: undefined, limit: 1 })
  expect(items).toMatchObject([
    { kind: 'refund', amount: 11_500, detail: { withdrawalId: id, reason: 'Write to us first.' } },
  ])
  expect(await newestLogged()).toMatchObject({ command: 'reject', reason: 'Write to us first.' })
  await expect(ops('approve', id, '--by', 'ben')).rejects.toThrow('was refunded')
  await expect(ops('reject', id, '--by', 'ana', '--reason', 'again')).rejects.toThrow('was refunded')
  await createSigningRound(signer)()
  expect(await countPayouts(world, id)).toBe(0)
})

test('an approval and two rejections at once: it is refunded once and never paid', async () => {
  const wallet = await createPlayerWith(world, { deposited: 11_000 })
  const signer = await carefulSigner()
  const id = await inReview(signer, wallet, 11_000)
  await Promise.allSettled([
    ops('approve', id, '--by', 'ana'),
    ops('reject', id, '--by', 'ben', '--reason', 'no'),
    ops('reject', id, '--by', 'ben', '--reason', 'no'),
  ])
  await runUntilSettled(world, signer, [wallet])
  const { state } = await readNewestWithdrawal(world, wallet)
  expect(state).toBe('refunded')
  expect((await readCreditOf(world.owner, wallet.address)).deposited).toBe(cotton(11_000))
  expect(await countPayouts(world, id)).toBe(0)
})

test('rejections while the signer signs: each withdrawal is paid once or refunded, never both', async () => {
  const wallet = await createPlayerWith(world, { deposited: 61_000 })
  const signer = await carefulSigner()
  const ids: string[] = []
  for (let i = 0; i < 6; i++) ids.push((await withdraw(world, wallet, cotton(10_001))).id)
  await roundsUntilReady(signer)
  for (const id of ids) await ops('approve', id, '--by', 'ana')
  await Promise.allSettled([
    runUntilSettled(world, signer, [wallet]),
    ...ids.map((id) => ops('reject', id, '--by', 'ben', '--reason', 'no')),
  ])
  await runUntilSettled(world, signer, [wallet])
  let paid = 0n
  for (const { id, state } of await readWithdrawals(world.api, wallet.address)) {
    expect(await countPayouts(world, id)).toBe(state === 'finalized' ? 1 : 0)
    if (state === 'finalized') paid += cotton(10_001)
  }
  expect(await world.tokenBalanceOf(wallet.address)).toBe(paid)
  expect((await readCreditOf(world.owner, wallet.address)).deposited).toBe(cotton(61_000) - paid)
})

test('a rejection that comes while the signer asks the chain is honoured, and its lane stays free', async () => {
  const wallet = await createPlayerWith(world, { deposited: 11_000 })
  const signer = await carefulSigner()
  await roundsUntilReady(signer)
  const id = await inReview(signer, wallet, 10_500)
  await ops('approve', id, '--by', 'ana')
  await applyApprovals(signer)
  const slow: Chain = {
    ...signer.chain,
    async nonceValue(account, commitment, of) {
      await ops('reject', id, '--by', 'ben', '--reason', 'no').catch(() => undefined)
      return world.chain.nonceValue(account, commitment, of)
    },
  }
  await signApproved({ ...signer, chain: slow })
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'refunded', signature: null })
  expect(await runQuery(world.owner, 'select lane from lanes where withdrawal_id is not null')).toEqual([])
})

test('what is signed cannot be rejected', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  const signer = await world.newSigner()
  const { id } = await withdraw(world, wallet, cotton(10))
  const round = createSigningRound(signer)
  await waitUntil(async () => {
    await round()
    return (await readNewestWithdrawal(world, wallet)).signature !== null
  })
  await expect(ops('reject', id, '--by', 'ana', '--reason', 'no')).rejects.toThrow(/signed|on its way|paid/)
  await runUntilSettled(world, signer, [wallet])
  expect(await countPayouts(world, id)).toBe(1)
})

test('a pause holds requests and signing at once, and ends with resume', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  await withdraw(world, wallet, cotton(10))
  const signer = await world.newSigner()
  expect(await ops('pause', 'withdrawals', '--by', 'ana', '--reason', 'an audit')).toContain('paused')
  expect(await readWithdrawable(world.apiDeps, wallet.address)).toMatchObject({ paused: true })
  await expect(withdraw(world, wallet, cotton(10))).rejects.toThrow('withdrawals_paused')
  await expect(ops('pause', 'withdrawals', '--by', 'ben', '--reason', 'me too')).rejects.toThrow('an audit')
  expect(await ops('status')).toContain('PAUSED since')
  await roundsUntilReady(signer)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'requested', signature: null })
  expect(await ops('resume', 'withdrawals', '--by', 'ben')).toContain('an audit')
  await expect(ops('resume', 'withdrawals', '--by', 'ben')).rejects.toThrow('not paused')
  await runUntilSettled(world, signer, [wallet])
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'finalized' })
})

test('a pause that comes while the signer asks the chain is honoured', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  await withdraw(world, wallet, cotton(10))
  const signer = await world.newSigner()
  await ops('pause', 'withdrawals', '--by', 'ana', '--reason', 'getting ready')
  await roundsUntilReady(signer)
  await ops('resume', 'withdrawals', '--by', 'ana')
  const slow: Chain = {
    ...world.chain,
    async nonceValue(account, commitment, of) {
      const value = await world.chain.nonceValue(account, commitment, of)
      await ops('pause', 'withdrawals', '--by', 'ana', '--reason', 'now').catch(() => undefined)
      return value
    },
  }
  await signApproved({ ...signer, chain: slow })
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'requested', signature: null })
  await ops('resume', 'withdrawals', '--by', 'ana')
  await runUntilSettled(world, signer, [wallet])
})

test('what the signer finds while withdrawals are paused is told to whoever resumes them', async () => {
  await ops('pause', 'withdrawals', '--by', 'ana', '--reason', 'Coming back from a backup.')
  const { db } = await world.newSigner()
  for (let times = 0; times < 2; times++) {
    await pauseWithdrawals(db, { why: 'transaction x is not owed', now: world.clock.now() })
  }
  expect(await ops('resume', 'withdrawals', '--by', 'ana')).toMatch(
    /: Coming back from a backup\. And: transaction x is not owed$/,
  )
})

test('an adjustment moves one class, against the pool or the emission, and the player reads why', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  const { address } = wallet
  const before = await readWorldBalances(world.owner)
  await ops('adjust', address, '12.5', '--class', 'deposited', '--by', 'ana', '--reason', 'a lost deposit')
  await ops('adjust', address, '+7', '--class', 'earned', '--by', 'ana', '--reason', 'a prize')
  expect(await readCreditOf(world.owner, address)).toEqual({ deposited: 112_500_000n, earned: cotton(7) })
  await ops('adjust', address, '-100.000001', '--class=deposited', '--by', 'ana', '--reason', 'too much')
  await ops('adjust', address, '-7', '--class', 'earned', '--by', 'ana', '--reason', 'taken back')
  expect(await readCreditOf(world.owner, address)).toEqual({ deposited: 12_499_999n, earned: 0n })
  const after = await readWorldBalances(world.owner)
  expect(after).toEqual({ ...before, pool: before.pool + 87_500_001n })
  const { items } = await readHistory(world.api, { wallet: address, before: undefined, limit: 1 })
  expect(items).toMatchObject([{ kind: 'adjustment', amount: -7, detail: { reason: 'taken back' } }])
})

test('an adjustment below zero, beyond its bounds or the pool, or for nobody changes nothing', async () => {
  const { address } = await createPlayerWith(world, { deposited: 100 })
  const signed = ['--by', 'ana', '--reason', 'why']
  const adjusting = (amount: string, name = 'deposited', wallet = address) =>
    ops('adjust', wallet, amount, '--class', name, ...signed)
  await expect(adjusting('-100.000001')).rejects.toThrow('holds 100 deposited only')
  await expect(adjusting('-0.000001', 'earned')).rejects.toThrow('holds 0 earned only')
  for (const amount of ['1.0000001', '0', 'much', '1e3', '--1']) {
    await expect(adjusting(amount), amount).rejects.toThrow(/no amount|no option/)
  }
  await expect(adjusting('1000000.000001')).rejects.toThrow('at most 1,000,000')
  await expect(adjusting('1', 'held')).rejects.toThrow('deposited or earned')
  await expect(adjusting('1', 'earned', 'So1')).rejects.toThrow('Nobody has ever played')
  await expect(ops('adjust', address, '1', '--class', 'earned', '--by', 'ana')).rejects.toThrow('--reason')
  expect(await readCreditOf(world.owner, address)).toEqual({ deposited: cotton(100), earned: 0n })
  expect(await newestLogged()).toMatchObject({
    command: 'adjust',
    outcome: expect.stringMatching(/^Refused: Nobody/),
  })
})

test('operators at the same time never take more than there is', async () => {
  const { address } = await createPlayerWith(world, { deposited: 100 })
  const taking = Array.from({ length: 4 }, () =>
    ops('adjust', address, '-60', '--class', 'deposited', '--by', 'ana', '--reason', 'twice'),
  )
  const done = await Promise.allSettled(taking)
  expect(done.filter((each) => each.status === 'fulfilled')).toHaveLength(1)
  expect((await readCreditOf(world.owner, address)).deposited).toBe(cotton(40))
})

test('the log tells what was done and refused, and nobody changes it, nor an approval', async () => {
  await ops('pause', 'withdrawals', '--by', 'ana', '--reason', 'a look')
  await ops('resume', 'withdrawals', '--by', 'ana')
  await expect(ops('resume', 'withdrawals', '--by', 'ben')).rejects.toThrow()
  const log = await ops('log', '--last', '3')
  expect(log).toMatch(/ana: pause withdrawals — a look[^]*ana: resume[^]*ben: resume[^]*Refused: /)
  for (const table of ['operator_log', 'approvals']) {
    for (const change of [`update ${table} set who = 'eve'`, `delete from ${table}`, `truncate ${table}`]) {
      await expect(runQuery(world.owner, change), change).rejects.toThrow('append-only')
    }
  }
})

test('no role of the game writes an approval, the log or a resume; none but the signer says what becomes of a withdrawal', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  const { id } = await withdraw(world, wallet, cotton(5))
  const signing = (await world.newSigner()).db
  const approving = `insert into approvals (withdrawal_id, who, at) values ('${id}', 'eve', now())`
  const logging = `insert into operator_log (at, who, command, arguments, outcome) values (now(), 'eve', 'x', '{}', 'y')`
  const resuming = `delete from settings where name = 'withdrawals_paused'`
  for (const role of [world.api, world.watcher, signing]) {
    for (const change of [approving, logging, resuming]) {
      await expect(runQuery(role, change), change).rejects.toThrow('permission denied')
    }
  }
  for (const role of [world.api, world.watcher]) {
    const deciding = `update withdrawals set state = 'approved' where id = '${id}'`
    await expect(runQuery(role, deciding)).rejects.toThrow('permission denied')
  }
  await runUntilSettled(world, await world.newSigner(), [wallet])
})

test('a command that is spelled wrongly is refused in words', async () => {
  await expect(ops('aprove', 'x')).rejects.toThrow('There is no operator command "aprove"')
  await expect(ops('approve')).rejects.toThrow('0 words were given, and 1 are needed')
  await expect(ops('approve', 'x', '--by', 'ana')).rejects.toThrow('There is no withdrawal x')
  await expect(ops('approve', 'x', '--force', 'yes')).rejects.toThrow('There is no option --force')
  await expect(ops('pause', 'claims', '--by', 'ana', '--reason', 'x')).rejects.toThrow('Only withdrawals')
  await expect(ops('withdrawals', '--state', 'lost')).rejects.toThrow('--state is one of')
  await expect(ops('log', '--last', '0')).rejects.toThrow('whole number')
})

test('the status shows what is open, held and backed', async () => {
  const wallet = await createPlayerWith(world, { deposited: 20_000 })
  const signer = await carefulSigner()
  const id = await inReview(signer, wallet, 15_000)
  const status = await ops('status')
  expect(status).toMatch(/in state review +1, 15,000 \$COTTON/)
  expect(status).toMatch(/owed as held +15,000/)
  expect(status).toContain(signer.treasury.address)
  expect(status).toContain(world.chain.facts.mint)
  await ops('reject', id, '--by', 'ana', '--reason', 'the end of the test')
  expect(await ops('status')).toMatch(/open +none/)
})
