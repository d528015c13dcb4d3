import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Act } from '#contract/console/acts.ts'
import { cotton } from '#game/cotton.ts'
import { type Chain, ChainUnavailable } from '#server/chain/port.ts'
import { creditDeposits } from '#server/deposits/credit-deposits.ts'
import { takeDepositAddress } from '#server/deposits/take-address.ts'
import { readWorldBalances } from '#server/ledger/read-world-balances.ts'
import { readActOutcome, readNextNumber } from '#server/operators/operator-acts.ts'
import { auditBooks } from '#server/ops/audit-books.ts'
import { readPause, resumeWithdrawals } from '#server/withdrawals/withdrawal-pause.ts'
import { restoreBackup, takeBackup } from '#tests/support/backup.ts'
import {
  createPlayerWith,
  readNewestWithdrawal,
  runUntilSettled,
  withdraw,
} from '#tests/support/chain-test-players.ts'
import { readCreditOf, waitUntil } from '#tests/support/chain-test-world.ts'
import { makeOps } from '#tests/support/operators.ts'
import { createSignerAfterSigning } from '#tests/support/payouts.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { sendPayouts } from '../payouts/send-payouts.ts'
import { settlePayouts } from '../payouts/settle-payouts.ts'
import { createSigningRound } from '../start-signer.ts'
import { sweepDeposits } from '../sweeps/sweep-deposits.ts'
import type { TakeBackPause } from './execute-acts.ts'
import { findUnowedPayouts, openPayouts } from './find-unowed-payouts.ts'

const world = setUpChainTestWorld()
const { operators, submit, execute, run } = makeOps(world, ['ana'])
const BY = ['--by', 'ana', '--reason', 'A test.']
const reason = 'A test.'

const funding = (amount: string): Act => ({ kind: 'fund', amount, reason })
const outcomeOf = (nonce: string) => readActOutcome(world.owner, nonce)
const treasury = async () => (await world.newSigner()).treasury.address

beforeAll(async () => {
  await waitUntil(async () => (await world.tokenBalanceOf(await treasury())) > 0n)
})

afterEach(async () => {
  await resumeWithdrawals(world.owner)
  expect(await auditBooks(world.owner)).toEqual([])
})

/** Executes acts. Once the signer has read the chain for the first one, `meanwhile` happens. */
async function executeWhile(meanwhile: () => Promise<void>): Promise<void> {
  let isFirst = true
  const then = async <T>(found: T): Promise<T> => {
    if (!isFirst) return found
    isFirst = false
    await meanwhile()
    return found
  }
  const chain: Chain = {
    ...world.chain,
    // What is read last, after the books.
    statuses: async (...of) => then(await world.chain.statuses(...of)),
    receipt: async (...of) => then(await world.chain.receipt(...of)),
  }
  await execute({ chain })
  expect(isFirst).toBe(false)
}

const NO_PAUSE: TakeBackPause = {
  get rounds() {
    return 0
  },
  set rounds(_rounds) {},
}

/** Another signer, to which the chain does not answer about its first act. */
function executeOnlyTheSecond(): Promise<void> {
  let isFirst = true
  const answer = () => {
    if (!isFirst) return
    isFirst = false
    throw new ChainUnavailable('a test')
  }
  const chain: Chain = {
    ...world.chain,
    tokenBalances: async (...of) => (answer(), world.chain.tokenBalances(...of)),
    history: async (...of) => (answer(), world.chain.history(...of)),
  }
  // The second act is done as if the rounds between two take-backs were over.
  return execute({ chain, takeBackPause: NO_PAUSE })
}

/** Submits an act, and the same again later. Of two fundings the later one is signed as the first. */
async function submitTwo(act: Act): Promise<[first: string, second: string]> {
  const next = await readNextNumber(world.owner, act)
  const first = await submit('ana', act, { number: next && next + 1 })
  world.clock.skip(1_000)
  return [first, await submit('ana', act)]
}

test('while an act reads the chain, other operators act', async () => {
  const nonce = await submit('ana', funding('1'))
  await executeWhile(async () => {
    await run(['pause', 'withdrawals', ...BY])
    expect(await readPause(world.owner)).not.toBeNull()
  })
  expect(await outcomeOf(nonce)).toMatchObject({
    state: 'refused',
    outcome: expect.stringContaining('has 0 $COTTON'),
  })
})

test('tokens that another act adds to the pool after the chain was read are not added twice', async () => {
  await world.waitUntilFinal(await world.gift(await treasury(), cotton(5)))
  const { pool } = await readWorldBalances(world.owner)
  const [first, second] = await submitTwo(funding('5'))
  await executeWhile(async () => {
    // The other act reads a later slot.
    await world.waitUntilFinal(await world.gift((await world.wallet()).address, cotton(1)))
    await executeOnlyTheSecond()
    expect(await outcomeOf(second)).toMatchObject({ state: 'done' })
  })
  expect(await outcomeOf(first)).toMatchObject({ state: 'waiting' })
  await execute()
  expect(await outcomeOf(first)).toMatchObject({
    state: 'refused',
    outcome: expect.stringContaining('has 0 $COTTON'),
  })
  expect((await readWorldBalances(world.owner)).pool - pool).toBe(cotton(5))
})

test('a credit that a player spends after the chain was read does not keep an act from being done', async () => {
  const player = await createPlayerWith(world, { deposited: 3 })
  await world.waitUntilFinal(await world.gift(await treasury(), cotton(2)))
  const nonce = await submit('ana', funding('2'))
  await executeWhile(async () => void (await withdraw(world, player, cotton(3))))
  expect(await outcomeOf(nonce)).toMatchObject({ state: 'done' })
  await runUntilSettled(world, await world.newSigner(), [player])
})

test('a payout that is paid after the chain was read makes the act try again, and is counted once', async () => {
  const player = await createPlayerWith(world, { deposited: 3 })
  await withdraw(world, player, cotton(3))
  await world.waitUntilFinal(await world.gift(await treasury(), cotton(2)))
  const nonce = await submit('ana', funding('2'))
  const signer = await createSignerAfterSigning(world)
  await sendPayouts(signer)
  const settle = () =>
    waitUntil(async () => {
      await settlePayouts(signer)
      return (await readNewestWithdrawal(world, player)).settledAt !== null
    })
  await executeWhile(settle)
  expect(await outcomeOf(nonce)).toMatchObject({ state: 'waiting' })
  await execute()
  expect(await outcomeOf(nonce)).toMatchObject({ state: 'done' })
})

test('a sweep that is signed after the chain was read makes the act try again', async () => {
  await createPlayerWith(world, { deposited: 1_000 })
  await world.waitUntilFinal(await world.gift(await treasury(), cotton(2)))
  const nonce = await submit('ana', funding('2'))
  const signer = await world.newSigner()
  await executeWhile(async () => void (await sweepDeposits(signer)))
  expect(await outcomeOf(nonce)).toMatchObject({ state: 'waiting' })
  await execute()
  expect(await outcomeOf(nonce)).toMatchObject({ state: 'done' })
})

test('a payout that another act handles after the chain was read is taken back once', async () => {
  const player = await createPlayerWith(world, { deposited: 9 })
  await takeBackup(world.owner)
  await withdraw(world, player, cotton(4))
  await runUntilSettled(world, await world.newSigner(), [player])
  await restoreBackup(world.owner)
  operators.name({ ana: ['decide', 'adjust'] })
  const round = createSigningRound(await world.newSigner())
  await waitUntil(async () => (await round(), (await readPause(world.owner)) !== null))
  const of = { chain: world.chain, treasury: await treasury() }
  const open = openPayouts(await findUnowedPayouts({ db: world.owner }, of))
  expect(open).toMatchObject([{ wallet: player.address, amount: cotton(4) }])

  const [first, second] = await submitTwo({ kind: 'take-back', payouts: '1', amount: '4', reason })
  await executeWhile(executeOnlyTheSecond)
  expect(await outcomeOf(second)).toMatchObject({ state: 'done' })
  expect(await outcomeOf(first)).toMatchObject({
    state: 'refused',
    outcome: expect.stringContaining('0 payouts of 0 $COTTON are open now'),
  })
  expect((await readCreditOf(world.owner, player.address)).deposited).toBe(cotton(5))
})

test('a payout that leaves a debt is taken back only once the deposits of its wallet are read', async () => {
  const player = await createPlayerWith(world, { deposited: 1 })
  await takeBackup(world.owner)
  const of = { wallet: player.address, now: world.clock.now() }
  const address = (await takeDepositAddress(world.api, of))!
  const credit = () => creditDeposits({ db: world.watcher, chain: world.chain, clock: world.clock }, address)
  await world.waitUntilFinal(await world.gift(player.address, cotton(2)))
  await world.waitUntilFinal(await world.transfer(player, address.owner, cotton(2)))
  await credit()
  await withdraw(world, player, cotton(3))
  await runUntilSettled(world, await world.newSigner(), [player])
  await restoreBackup(world.owner)
  const nonce = await submit('ana', { kind: 'take-back', payouts: '1', amount: '3', reason })
  await execute()
  expect(await outcomeOf(nonce)).toMatchObject({ state: 'waiting' })
  await credit()
  // A sweep that the books have forgotten counts once it is final.
  await waitUntil(async () => (await execute(), (await outcomeOf(nonce))?.state !== 'waiting'))
  expect(await outcomeOf(nonce)).toMatchObject({
    state: 'done',
    outcome: 'Took back 3 of 3 $COTTON in 1 payouts: no debt remains.',
  })
})
