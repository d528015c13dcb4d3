import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { freezeWallet, unfreezeWallet } from '#server/freeze/freeze-wallet.ts'
import { Refused } from '#server/platform/answer.ts'
import { cancelWithdrawals } from '#server/withdrawals/cancel-withdrawal.ts'
import { challengeWithdrawal } from '#server/withdrawals/challenge-withdrawal.ts'
import {
  createPlayerWith,
  readNewestWithdrawal,
  runUntilSettled,
  signWithdrawalRequest,
  submitRequests,
  withdraw,
} from '#tests/support/chain-test-players.ts'
import { readCreditOf, runQuery, SITE, type TestWallet } from '#tests/support/chain-test-world.ts'
import {
  countPayouts,
  createReadySigner,
  createSignerAfterSigning,
  expectPaidOnce,
} from '#tests/support/payouts.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { signApproved } from '../payouts/sign-approved.ts'
import { createSigningRound } from '../start-signer.ts'
import { followFreezes } from './follow-freezes.ts'
import { reviewRequests } from './review-requests.ts'

const world = setUpChainTestWorld()
const REASON = 'We are looking into a report.'

// Each test starts a new day with its full budget.
beforeEach(() => world.skipDays(1))

const freeze = ({ address: wallet }: TestWallet): Promise<boolean> =>
  world.owner.transaction((tx) =>
    freezeWallet(tx, { wallet, reason: REASON, who: 'ana', now: world.clock.now() }),
  )
const unfreeze = ({ address: wallet }: TestWallet): Promise<boolean> =>
  world.owner.transaction((tx) => unfreezeWallet(tx, { wallet }))

const countStoredPayouts = async (id: string): Promise<number> =>
  (await runQuery(world.owner, 'select from payouts where withdrawal_id = $1', [id])).length

const WAITS = { state: 'review', reasons: ['frozen'], reason: expect.stringContaining('wallet is frozen') }

test('a frozen wallet can neither ask for nor request a withdrawal', async () => {
  const ana = await createPlayerWith(world, { deposited: 10 })
  const request = await signWithdrawalRequest(world, ana, cotton(5))
  await freeze(ana)
  const refusal = { code: 'wallet_frozen', facts: { reason: REASON, since: expect.any(String) } }
  expect((await submitRequests(world, [request]))[0]!.refusal).toEqual(refusal)
  const deps = { db: world.api, clock: world.clock, site: SITE }
  const asked = challengeWithdrawal(deps, { wallet: ana.address, amount: cotton(1) })
  expect(await asked.catch((error: unknown) => (error instanceof Refused ? error.refusal : error))).toEqual(
    refusal,
  )
  expect((await readCreditOf(world.owner, ana.address)).deposited).toBe(cotton(10))
})

test('an open withdrawal of a frozen wallet waits in review, and is paid once the wallet is unfrozen', async () => {
  const [ana, ben] = [
    await createPlayerWith(world, { deposited: 10 }),
    await createPlayerWith(world, { deposited: 10 }),
  ]
  const signer = await createReadySigner(world)
  const approved = await withdraw(world, ana, cotton(4))
  await reviewRequests(signer)
  await freeze(ana)
  await withdraw(world, ben, cotton(1))
  await freeze(ben)
  const round = createSigningRound(signer)
  for (let rounds = 0; rounds < 12; rounds++) await round()
  expect(await readNewestWithdrawal(world, ana)).toMatchObject(WAITS)
  expect(await readNewestWithdrawal(world, ben)).toMatchObject(WAITS)
  expect(await countStoredPayouts(approved.id)).toBe(0)
  await unfreeze(ana)
  await runUntilSettled(world, signer, [ana])
  await expectPaidOnce(world, ana)
  expect(await readNewestWithdrawal(world, ben)).toMatchObject(WAITS)
})

test('a freeze adds its reason to what waits for another, and takes only its own away', async () => {
  const ana = await createPlayerWith(world, { deposited: 10 })
  const signer = await world.newSigner()
  const { id } = await withdraw(world, ana, cotton(4))
  const inReview = `update withdrawals set state = 'review', reasons = array['large'] where id = $1`
  await runQuery(world.owner, inReview, [id])
  await freeze(ana)
  await followFreezes(signer)
  await followFreezes(signer)
  expect(await readNewestWithdrawal(world, ana)).toMatchObject({ ...WAITS, reasons: ['frozen', 'large'] })
  await unfreeze(ana)
  await followFreezes(signer)
  expect(await readNewestWithdrawal(world, ana)).toMatchObject({
    state: 'review',
    reasons: ['large'],
    reason: expect.stringContaining('larger withdrawals'),
  })
})

test('a payout that is already signed lands although its wallet is frozen', async () => {
  const ana = await createPlayerWith(world, { deposited: 10 })
  await withdraw(world, ana, cotton(4))
  const signer = await createSignerAfterSigning(world)
  expect(await readNewestWithdrawal(world, ana)).toMatchObject({ state: 'signed' })
  await freeze(ana)
  await runUntilSettled(world, signer, [ana])
  await expectPaidOnce(world, ana)
})

test('the player of a frozen wallet can cancel a withdrawal, and it is refunded', async () => {
  const ana = await createPlayerWith(world, { deposited: 10 })
  const { id } = await withdraw(world, ana, cotton(4))
  await freeze(ana)
  const request = { wallet: ana.address, withdrawalId: id, key: null }
  const [answer] = await world.api.transaction((tx) => cancelWithdrawals(tx, [request], world.clock))
  expect(answer!.refusal).toBeUndefined()
  await runUntilSettled(world, await world.newSigner(), [ana])
  expect(await readNewestWithdrawal(world, ana)).toMatchObject({ state: 'refunded' })
  expect((await readCreditOf(world.owner, ana.address)).deposited).toBe(cotton(10))
  expect(await countPayouts(world, id)).toBe(0)
})

test('of a freeze and a signature at the same moment, nothing is signed after the freeze has committed', async () => {
  const rounds = Number(process.env.FREEZE_ROUNDS ?? 8)
  const most = rounds + 4
  const ana = await createPlayerWith(world, { deposited: most })
  const signer = await createReadySigner(world)
  const outcomes = { frozen: 0, signed: 0 }
  // Follows the time that signing takes here, so that the two stay close.
  let delayMs = 8
  const isBothSeen = () => Math.min(outcomes.frozen, outcomes.signed) > 0
  let round = 0
  for (; round < rounds || (round < most && !isBothSeen()); round++) {
    const { id } = await withdraw(world, ana, cotton(1))
    await reviewRequests(signer)
    const signing = signApproved(signer)
    await sleep(delayMs)
    await freeze(ana)
    const atFreeze = await countStoredPayouts(id)
    await signing
    expect(await countStoredPayouts(id)).toBe(atFreeze)
    outcomes[atFreeze === 0 ? 'frozen' : 'signed']++
    delayMs *= atFreeze === 0 ? 2 : 0.6
    await unfreeze(ana)
    await runUntilSettled(world, signer, [ana])
  }
  expect(isBothSeen(), JSON.stringify(outcomes)).toBe(true)
  expect(await world.tokenBalanceOf(ana.address)).toBe(cotton(round))
})
