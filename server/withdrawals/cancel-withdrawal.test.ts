import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { readHistory } from '#server/account/read-history.ts'
import { auditBooks } from '#server/ops/audit-books.ts'
import { refundCancelled } from '#server/signer/payouts/refund-cancelled.ts'
import { signApproved } from '#server/signer/payouts/sign-approved.ts'
import { reviewRequests } from '#server/signer/review/review-requests.ts'
import { createSigningRound } from '#server/signer/start-signer.ts'
import { ANY_SIGNATURE } from '#tests/support/any-signature.ts'
import {
  createPlayerWith,
  readNewestWithdrawal,
  runUntilSettled,
  withdraw,
} from '#tests/support/chain-test-players.ts'
import { readCreditOf, runQuery, type TestWallet } from '#tests/support/chain-test-world.ts'
import {
  countPayouts,
  createReadySigner,
  createSignerAfterSigning,
  deletePayouts,
  expectPaidOnce,
} from '#tests/support/payouts.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { cancelWithdrawals } from './cancel-withdrawal.ts'
import { pauseWithdrawals, resumeWithdrawals } from './withdrawal-pause.ts'

const world = setUpChainTestWorld()

// Each test starts a new day with its full budget.
beforeEach(() => world.skipDays(1))

async function cancel(wallet: TestWallet, withdrawalId: string, key: string | null = null) {
  const request = {
    wallet: wallet.address,
    withdrawalId,
    key: key === null ? null : { route: '/cancel', key, bodyHash: Buffer.from(withdrawalId) },
  }
  const [answer] = await world.api.transaction((tx) => cancelWithdrawals(tx, [request], world.clock))
  return answer!.refusal?.code ?? answer!.reply!.withdrawal
}

async function spentToday(wallet: TestWallet): Promise<bigint> {
  const [row] = await runQuery<{ spent: bigint }>(
    world.owner,
    'select coalesce(sum(spent), 0)::bigint as spent from reward_day_wallets where wallet = $1',
    [wallet.address],
  )
  return row!.spent
}

// The claims of these tests have no workers.
const findCancellationFindings = async () =>
  (await auditBooks(world.owner)).filter(
    ({ law }) => law !== 'the claimed amounts of workers match the ledger',
  )

const kindsOf = async (wallet: TestWallet): Promise<string[]> => {
  const page = { wallet: wallet.address, before: undefined, limit: 100 }
  return (await readHistory(world.api, page)).items.map(({ kind }) => kind)
}

test('a cancelled withdrawal returns to the classes it came from and to the budget, once', async () => {
  const ana = await createPlayerWith(world, { deposited: 10, earned: 50 })
  const before = await readCreditOf(world.owner, ana.address)
  const { id } = await withdraw(world, ana, cotton(12))
  expect(await spentToday(ana)).toBe(cotton(2))
  expect(await cancel(ana, id, 'cancel-it')).toMatchObject({
    state: 'requested',
    cancelledAt: expect.any(String),
  })
  const again = await Promise.all(
    Array.from({ length: 50 }, (_, at) => cancel(ana, id, at % 2 ? 'cancel-it' : null)),
  )
  expect(again.every((answer) => typeof answer === 'object')).toBe(true)

  const signer = await createReadySigner(world)
  await Promise.all([refundCancelled(signer), refundCancelled(signer)])
  await runUntilSettled(world, signer, [ana])
  expect(await readCreditOf(world.owner, ana.address)).toEqual(before)
  expect(await spentToday(ana)).toBe(0n)
  expect(await countPayouts(world, id)).toBe(0)
  expect(await kindsOf(ana)).toEqual(['cancellation', 'withdrawal', 'claim', 'deposit'])
  expect(await readNewestWithdrawal(world, ana)).toMatchObject({
    state: 'refunded',
    reason: 'You cancelled it before it was sent. The tokens are back in your balance.',
    signature: null,
  })
  const setCancelled = (to: string) =>
    runQuery(world.owner, `update withdrawals set cancelled_at = ${to} where id = $1`, [id])
  await setCancelled('null')
  expect(await findCancellationFindings()).toMatchObject([
    { what: id, found: '1 times, 10000000 and 2000000' },
  ])
  await setCancelled('now()')
  // A repeated cancellation is granted and changes nothing.
  expect(await cancel(ana, id)).toMatchObject({ state: 'refunded' })
  expect(await findCancellationFindings()).toEqual([])
})

test('a withdrawal in review, or approved and waiting, can be cancelled, also during a pause', async () => {
  const ana = await createPlayerWith(world, { deposited: 20 })
  const signer = await createReadySigner(world)
  const [review, approved] = [await withdraw(world, ana, cotton(5)), await withdraw(world, ana, cotton(6))]
  await reviewRequests(signer)
  await runQuery(world.owner, `update withdrawals set state = 'review' where id = $1`, [review.id])
  await pauseWithdrawals(world.owner, { why: 'test', now: world.clock.now() })
  for (const { id } of [review, approved]) expect(await cancel(ana, id)).toMatchObject({ id })
  await resumeWithdrawals(world.owner)
  await signApproved(signer)
  await refundCancelled(signer)
  expect((await readCreditOf(world.owner, ana.address)).deposited).toBe(cotton(20))
  await runUntilSettled(world, signer, [ana])
  expect(await countPayouts(world, approved.id)).toBe(0)
})

test('a signed or paid withdrawal cannot be cancelled', async () => {
  const ana = await createPlayerWith(world, { deposited: 10 })
  const { id } = await withdraw(world, ana, cotton(5))
  const signer = await createSignerAfterSigning(world)
  expect(await readNewestWithdrawal(world, ana)).toMatchObject({ state: 'signed' })
  expect(await cancel(ana, id)).toBe('not_cancellable')
  await runUntilSettled(world, signer, [ana])
  await expectPaidOnce(world, ana)
  expect(await cancel(ana, id)).toBe('not_cancellable')
  expect((await readCreditOf(world.owner, ana.address)).deposited).toBe(cotton(5))
})

test('only the player of a withdrawal can cancel it', async () => {
  const [ana, bob] = [await createPlayerWith(world, { deposited: 10 }), await createPlayerWith(world, {})]
  const { id } = await withdraw(world, ana, cotton(5))
  expect(await cancel(bob, id)).toBe('withdrawal_not_found')
  expect(await cancel(ana, '00000000-0000-4000-8000-000000000000')).toBe('withdrawal_not_found')
  await runUntilSettled(world, await world.newSigner(), [ana])
  await expectPaidOnce(world, ana)
})

test('of a cancellation and a signature at the same moment exactly one wins', async () => {
  const rounds = Number(process.env.CANCEL_ROUNDS ?? 24)
  const ana = await createPlayerWith(world, { deposited: rounds })
  const signer = await createReadySigner(world)
  const outcomes = { cancelled: 0, paid: 0 }
  // Follows the time that signing takes here, so that the two stay close.
  let delayMs = 8
  for (let round = 0; round < rounds; round++) {
    const { id } = await withdraw(world, ana, cotton(1))
    await reviewRequests(signer)
    const signing = signApproved(signer)
    await sleep(delayMs)
    const [answer] = await Promise.all([cancel(ana, id), signing])
    const { state, cancelledAt } = await readNewestWithdrawal(world, ana)
    const isCancelled = typeof answer === 'object'
    expect([state, cancelledAt !== null]).toEqual([isCancelled ? 'requested' : 'signed', isCancelled])
    outcomes[isCancelled ? 'cancelled' : 'paid']++
    delayMs *= isCancelled ? 1.4 : 0.7
    await runUntilSettled(world, signer, [ana])
  }
  expect(outcomes.cancelled + outcomes.paid).toBe(rounds)
  expect(Math.min(outcomes.cancelled, outcomes.paid), JSON.stringify(outcomes)).toBeGreaterThan(0)
  expect(await world.tokenBalanceOf(ana.address)).toBe(cotton(outcomes.paid))
  expect((await readCreditOf(world.owner, ana.address)).deposited).toBe(cotton(outcomes.cancelled))
  expect(await findCancellationFindings()).toEqual([])
})

test('no program can sign what is cancelled, and the api can change nothing else of a withdrawal', async () => {
  const ana = await createPlayerWith(world, { deposited: 10 })
  const { id } = await withdraw(world, ana, cotton(5))
  await cancel(ana, id)
  const sign = runQuery(world.owner, `update withdrawals set state = 'signed' where id = $1`, [id])
  await expect(sign).rejects.toThrow('withdrawals_check')
  const change = runQuery(world.api, `update withdrawals set state = 'refunded' where id = $1`, [id])
  await expect(change).rejects.toThrow('permission denied')
  await runUntilSettled(world, await world.newSigner(), [ana])
})

test('a cancelled row whose amount the ledger does not hold is not refunded', async () => {
  const ana = await createPlayerWith(world, { deposited: 10 })
  await runQuery(
    world.api,
    `insert into withdrawals (id, wallet, deposited, earned, hold_id, day, requested_at, nonce, wallet_signature)
     values (gen_random_uuid(), $1, 7000000, 0, gen_random_uuid(), '2026-01-05', now(), ${ANY_SIGNATURE})`,
    [ana.address],
  )
  const { id } = await readNewestWithdrawal(world, ana)
  expect(await cancel(ana, id)).toMatchObject({ id })
  const signer = await createReadySigner(world)
  await refundCancelled(signer)
  expect(await readNewestWithdrawal(world, ana)).toMatchObject({ state: 'review', reasons: ['not_held'] })
  expect((await readCreditOf(world.owner, ana.address)).deposited).toBe(cotton(10))
  await runQuery(world.owner, 'delete from withdrawals where id = $1', [id])
})

test('after a restore, a cancelled withdrawal that has landed is settled and not refunded', async () => {
  const ana = await createPlayerWith(world, { deposited: 10 })
  const { id } = await withdraw(world, ana, cotton(5))
  await runUntilSettled(world, await world.newSigner(), [ana])
  await deletePayouts(world, ana)
  expect(await cancel(ana, id)).toMatchObject({ state: 'requested' })
  const round = createSigningRound(await world.newSigner())
  for (let rounds = 0; rounds < 20; rounds++) await round()
  await expectPaidOnce(world, ana)
  expect(await cancel(ana, id)).toBe('not_cancellable')
  expect((await readCreditOf(world.owner, ana.address)).deposited).toBe(cotton(5))
})
