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
import { grantCredit } from '#tests/support/grant-credit.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { makeOps } from '#tests/support/operators.ts'
import { newMainnetSigner, countPayouts } from '#tests/support/payouts.ts'
import { auditBooks } from './audit-books.ts'
import { readLog } from './operator-log.ts'

const world = setUpChainTestWorld()
/** Where tokens have value, payouts need a recent reserve check. */
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

const { operators, run } = makeOps(world)
const { key } = operators

/** Runs a command as the operator does and returns its output. A signer executes what was signed. */
const ops = (...args: string[]): Promise<string> => run(args)

const newestLogged = async () => (await readLog(world.owner, 1))[0]!

/** A withdrawal in review. */
async function inReview(signer: Signer, wallet: TestWallet, amount: number): Promise<string> {
  const { id } = await withdraw(world, wallet, cotton(amount))
  await createSigningRound(signer)()
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ id, state: 'review' })
  return id
}

/** Runs a signer until it has signed everything that it may sign. */
async function roundsUntilReady(signer: Signer): Promise<void> {
  const round = createSigningRound(signer)
  await waitUntil(async () => {
    await round()
    return signer.lanes.size > 0 && [...signer.lanes.values()].every((lane) => lane.safeSince !== null)
  })
  await round()
}

test('a withdrawal in review is paid once after its approval, and not before (X-13)', async () => {
  const wallet = await createPlayerWith(world, { deposited: 50_000 })
  const signer = await newMainnetSigner(world)
  const id = await inReview(signer, wallet, 20_000)
  for (const round = createSigningRound(signer); !signer.lanes.size;) await round()
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'review', signature: null })
  expect(await ops('withdrawals', '--state', 'review')).toContain(id)
  expect(await ops('approve', id, ...key('ana'))).toContain('Approved: 20,000')
  expect(await newestLogged()).toMatchObject({
    who: 'ana',
    command: 'approve',
    arguments: { withdrawalId: id },
  })
  await expect(ops('approve', id, ...key('ben'))).rejects.toThrow('already approved by ana')
  await runUntilSettled(world, signer, [wallet])
  expect(await countPayouts(world, id)).toBe(1)
  await expect(ops('approve', id, ...key('ben'))).rejects.toThrow('was paid')
  await expect(ops('reject', id, ...key('ben'), '--reason', 'too late')).rejects.toThrow('was paid')
})

test('above the limit two different operators must approve', async () => {
  const wallet = await createPlayerWith(world, { deposited: 150_000 })
  const signer = await newMainnetSigner(world)
  const id = await inReview(signer, wallet, 100_001)
  expect(await ops('approve', id, ...key('ana'))).toContain('a second operator must')
  await expect(ops('approve', id, ...key('ana'))).rejects.toThrow('another operator must')
  await roundsUntilReady(signer)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'review', signature: null })
  expect(await ops('withdrawals')).toContain('approvals: 1 of 2 by ana')
  expect(await ops('approve', id, ...key('ben'))).toContain('Approved: 100,001 $COTTON')
  await runUntilSettled(world, signer, [wallet])
  expect(await countPayouts(world, id)).toBe(1)
})

test('a list with the PUBLIC_URL of another game is whole, and says that it verified no approvals', async () => {
  const wallet = await createPlayerWith(world, { deposited: 150_000 })
  const signer = await newMainnetSigner(world)
  const ids = [await inReview(signer, wallet, 100_001), await inReview(signer, wallet, 20_000)]
  await ops('approve', ids[0]!, ...key('ana'))
  const acts = { publicUrl: 'https://other.example', operators: operators.read(), sleep: async () => {} }
  const list = await run(['withdrawals'], { acts })
  expect(list).toContain('approvals: not verified. The signer serves http://farm.test, and PUBLIC_URL is ')
  for (const id of ids) expect(list).toContain(id)
  await ops('reject', ...ids, ...key('ana'), '--reason', 'the end of the test')
})

test('a rejection returns both classes of credit and the budget, and the player reads the reason (A-10)', async () => {
  await world.skipDays(0)
  const wallet = await createPlayerWith(world, { deposited: 11_000 })
  await ops('adjust', wallet.address, '900.25', '--class', 'earned', ...key('ana'), '--reason', 'a prize')
  const before = await readWithdrawable(world.apiDeps, wallet.address)
  const credit = await readCreditOf(world.owner, wallet.address)
  const signer = await newMainnetSigner(world)
  const id = await inReview(signer, wallet, 11_500)
  expect(await ops('reject', id, ...key('ana'), '--reason', 'Write to us first.')).toContain(
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
  await expect(ops('approve', id, ...key('ben'))).rejects.toThrow('was refunded')
  await expect(ops('reject', id, ...key('ana'), '--reason', 'again')).rejects.toThrow('was refunded')
  await createSigningRound(signer)()
  expect(await countPayouts(world, id)).toBe(0)
})

test('with an approval and two rejections at once a withdrawal is refunded once and never paid', async () => {
  const wallet = await createPlayerWith(world, { deposited: 11_000 })
  const signer = await newMainnetSigner(world)
  const id = await inReview(signer, wallet, 11_000)
  await Promise.allSettled([
    ops('approve', id, ...key('ana')),
    ops('reject', id, ...key('ben'), '--reason', 'no'),
    ops('reject', id, ...key('ben'), '--reason', 'no'),
  ])
  await runUntilSettled(world, signer, [wallet])
  const { state } = await readNewestWithdrawal(world, wallet)
  expect(state).toBe('refunded')
  expect((await readCreditOf(world.owner, wallet.address)).deposited).toBe(cotton(11_000))
  expect(await countPayouts(world, id)).toBe(0)
})

test('with rejections while the signer signs each withdrawal is paid once or refunded, never both', async () => {
  const wallet = await createPlayerWith(world, { deposited: 61_000 })
  const signer = await newMainnetSigner(world)
  const ids: string[] = []
  for (let i = 0; i < 6; i++) ids.push((await withdraw(world, wallet, cotton(10_001))).id)
  await roundsUntilReady(signer)
  for (const id of ids) await ops('approve', id, ...key('ana'))
  await Promise.allSettled([
    runUntilSettled(world, signer, [wallet]),
    ...ids.map((id) => ops('reject', id, ...key('ben'), '--reason', 'no')),
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

test('a rejection while the signer reads the chain takes effect, and the lane stays free', async () => {
  const wallet = await createPlayerWith(world, { deposited: 11_000 })
  const signer = await newMainnetSigner(world)
  await roundsUntilReady(signer)
  const id = await inReview(signer, wallet, 10_500)
  await ops('approve', id, ...key('ana'))
  await applyApprovals({ ...signer, operators: operators.read })
  const slow: Chain = {
    ...signer.chain,
    async nonceValue(account, commitment, of) {
      await ops('reject', id, ...key('ben'), '--reason', 'no').catch(() => undefined)
      return world.chain.nonceValue(account, commitment, of)
    },
  }
  await signApproved({ ...signer, chain: slow })
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'refunded', signature: null })
  expect(await runQuery(world.owner, 'select lane from lanes where withdrawal_id is not null')).toEqual([])
})

test('a signed withdrawal cannot be rejected', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  const signer = await world.newSigner()
  const { id } = await withdraw(world, wallet, cotton(10))
  const round = createSigningRound(signer)
  await waitUntil(async () => {
    await round()
    return (await readNewestWithdrawal(world, wallet)).signature !== null
  })
  await expect(ops('reject', id, ...key('ana'), '--reason', 'no')).rejects.toThrow(/signed|sent|paid/)
  await runUntilSettled(world, signer, [wallet])
  expect(await countPayouts(world, id)).toBe(1)
})

test('a pause stops requests and signing at once, until it is resumed (X-14)', async () => {
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
  expect(await ops('resume', 'withdrawals', ...key('ben'), '--reason', 'done')).toContain('an audit')
  await expect(ops('resume', 'withdrawals', ...key('ben'), '--reason', 'done')).rejects.toThrow('not paused')
  await runUntilSettled(world, signer, [wallet])
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'finalized' })
})

test('a pause while the signer reads the chain takes effect', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  await withdraw(world, wallet, cotton(10))
  const signer = await world.newSigner()
  await ops('pause', 'withdrawals', '--by', 'ana', '--reason', 'getting ready')
  await roundsUntilReady(signer)
  await ops('resume', 'withdrawals', ...key('ana'), '--reason', 'done')
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
  await ops('resume', 'withdrawals', ...key('ana'), '--reason', 'done')
  await runUntilSettled(world, signer, [wallet])
})

test('resume shows what the signer found while withdrawals were paused', async () => {
  await ops('pause', 'withdrawals', '--by', 'ana', '--reason', 'Coming back from a backup.')
  const { db } = await world.newSigner()
  for (let times = 0; times < 2; times++) {
    await pauseWithdrawals(db, { why: 'transaction x is not owed', now: world.clock.now() })
  }
  expect(await ops('resume', 'withdrawals', ...key('ana'), '--reason', 'done')).toMatch(
    /: Coming back from a backup\. And: transaction x is not owed$/,
  )
})

test('an adjustment moves one class, against the pool or the emission, and the player reads why', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  const { address } = wallet
  const before = await readWorldBalances(world.owner)
  await ops('adjust', address, '12.5', '--class', 'deposited', ...key('ana'), '--reason', 'a lost deposit')
  await ops('adjust', address, '+7', '--class', 'earned', ...key('ana'), '--reason', 'a prize')
  expect(await readCreditOf(world.owner, address)).toEqual({ deposited: 112_500_000n, earned: cotton(7) })
  await ops('adjust', address, '-100.000001', '--class=deposited', ...key('ana'), '--reason', 'too much')
  await ops('adjust', address, '-7', '--class', 'earned', ...key('ana'), '--reason', 'taken back')
  expect(await readCreditOf(world.owner, address)).toEqual({ deposited: 12_499_999n, earned: 0n })
  const after = await readWorldBalances(world.owner)
  expect(after).toEqual({ ...before, pool: before.pool + 87_500_001n })
  const { items } = await readHistory(world.api, { wallet: address, before: undefined, limit: 1 })
  expect(items).toMatchObject([{ kind: 'adjustment', amount: -7, detail: { reason: 'taken back' } }])
})

test('an adjustment below zero, above its limit or for an unknown wallet changes nothing', async () => {
  const { address } = await createPlayerWith(world, { deposited: 100 })
  const signed = [...key('ana'), '--reason', 'why']
  const adjusting = (amount: string, name = 'deposited', wallet = address) =>
    ops('adjust', wallet, amount, '--class', name, ...signed)
  await expect(adjusting('-100.000001')).rejects.toThrow('has only 100 $COTTON of deposited credit')
  await expect(adjusting('-0.000001', 'earned')).rejects.toThrow('has only 0 $COTTON of earned credit')
  for (const amount of ['1.0000001', '0', 'much', '1e3', '--1']) {
    await expect(adjusting(amount), amount).rejects.toThrow(/not a valid amount|no option/)
  }
  for (const amount of ['1000000.000001', '-1000000.000001'])
    await expect(adjusting(amount), amount).rejects.toThrow('at most 1,000,000')
  await expect(adjusting('1', 'held')).rejects.toThrow('deposited or earned')
  await expect(adjusting('1', 'earned', (await world.wallet()).address)).rejects.toThrow(
    'No player has the wallet',
  )
  await expect(adjusting('1', 'earned', 'So1')).rejects.toThrow('The wallet of this act is not valid')
  await expect(ops('adjust', address, '1', '--class', 'earned', ...key('ana'))).rejects.toThrow('--reason')
  expect(await readCreditOf(world.owner, address)).toEqual({ deposited: cotton(100), earned: 0n })
  expect(await newestLogged()).toMatchObject({
    command: 'adjust',
    outcome: expect.stringMatching(/^Refused: No player/),
  })
})

test('of the same adjustment asked for four times at once one is done', async () => {
  const { address } = await createPlayerWith(world, { deposited: 100 })
  const taking = Array.from({ length: 4 }, () =>
    ops('adjust', address, '-20', '--class', 'deposited', ...key('ana'), '--reason', 'twice'),
  )
  const done = await Promise.allSettled(taking)
  expect(done.filter((each) => each.status === 'fulfilled')).toHaveLength(1)
  expect((await readCreditOf(world.owner, address)).deposited).toBe(cotton(80))
})

test('an adjustment and a withdrawal at once never take more than the balance', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  const done = await Promise.allSettled([
    ops('adjust', wallet.address, '-60', '--class', 'deposited', ...key('ana'), '--reason', 'twice'),
    withdraw(world, wallet, cotton(60)),
  ])
  expect(done.filter((each) => each.status === 'fulfilled')).toHaveLength(1)
  expect((await readCreditOf(world.owner, wallet.address)).deposited).toBe(cotton(40))
})

test('the log shows what was done and refused, and neither it nor an approval can be changed', async () => {
  await ops('pause', 'withdrawals', '--by', 'ana', '--reason', 'a check')
  await ops('resume', 'withdrawals', ...key('ana'), '--reason', 'done')
  await expect(ops('fund', '1', ...key('ben'), '--reason', 'rewards')).rejects.toThrow('not owed to anybody')
  const log = await ops('log', '--last', '3')
  expect(log).toMatch(/ana: pause withdrawals — a check[^]*ana: resume[^]*ben: fund[^]*Refused: /)
  for (const [table, column] of [
    ['operator_log', 'who'],
    ['operator_acts', 'operator'],
  ]) {
    for (const change of [
      `update ${table} set ${column} = 'eve'`,
      `delete from ${table}`,
      `truncate ${table}`,
    ]) {
      await expect(runQuery(world.owner, change), change).rejects.toThrow(/append-only|never changes/)
    }
  }
})

test('no role can write an act, nor change one; only the signer logs, resumes and decides withdrawals', async () => {
  const wallet = await createPlayerWith(world, { deposited: 100 })
  const { id } = await withdraw(world, wallet, cotton(5))
  const signing = (await world.newSigner()).db
  const approving = `insert into operator_acts (nonce, kind, details, operator, signature, signed_form, at, expires_at)
    values (repeat('0', 32), 'approve', '{}', 'eve', decode(repeat('00', 64), 'hex'), 'raw', now(), now())`
  const forging = `update operator_acts set details = '{}'`
  const logging = `insert into operator_log (at, who, command, arguments, outcome) values (now(), 'eve', 'x', '{}', 'y')`
  const resuming = `delete from settings where name = 'withdrawals_paused'`
  for (const change of [approving, forging])
    await expect(runQuery(signing, change), change).rejects.toThrow('permission denied')
  const deciding = `update withdrawals set state = 'approved' where id = '${id}'`
  for (const role of [world.api, world.watcher]) {
    for (const change of [approving, forging, logging, resuming, deciding]) {
      await expect(runQuery(role, change), change).rejects.toThrow('permission denied')
    }
  }
  await runUntilSettled(world, await world.newSigner(), [wallet])
})

test('a mistyped command is refused with an explanation', async () => {
  await expect(ops('aprove', 'x')).rejects.toThrow('There is no operator command "aprove"')
  await expect(ops('approve')).rejects.toThrow('Expected 1 words, got 0')
  await expect(ops('approve', 'x', ...key('ana'))).rejects.toThrow('There is no withdrawal x')
  await expect(ops('approve', 'x', '--force', 'yes')).rejects.toThrow('There is no option --force')
  await expect(ops('pause', 'claims', '--by', 'ana', '--reason', 'x')).rejects.toThrow('Only withdrawals')
  await expect(ops('withdrawals', '--state', 'lost')).rejects.toThrow('--state must be one of')
  await expect(ops('log', '--last', '0')).rejects.toThrow('whole number')
})

test('the status shows what is open, held and backed', async () => {
  const wallet = await createPlayerWith(world, { deposited: 20_000 })
  const signer = await newMainnetSigner(world)
  const id = await inReview(signer, wallet, 15_000)
  const status = await ops('status')
  expect(status).toMatch(/in state review +1, 15,000 \$COTTON/)
  expect(status).toMatch(/owed as held +15,000/)
  expect(status).toContain(signer.treasury.address)
  expect(status).toContain(world.chain.facts.mint)
  await ops('reject', id, ...key('ana'), '--reason', 'the end of the test')
  expect(await ops('status')).toMatch(/open +none/)
})

test('the status shows more earned credit than a bigint contains', async () => {
  for (const { address } of [await world.wallet(), await world.wallet()]) {
    const credit = { deposited: 0, earned: 6_000_000_000_000 }
    await world.owner.transaction((tx) => grantCredit(tx, address, credit, world.clock.now()))
  }
  expect(await ops('status')).toMatch(/earned, not withdrawn +12,00/)
})
