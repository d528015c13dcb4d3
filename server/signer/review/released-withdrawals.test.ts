import { beforeEach, expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { cancelWithdrawals } from '#server/withdrawals/cancel-withdrawal.ts'
import { refundWithdrawal } from '#server/withdrawals/close-withdrawal.ts'
import { readNewestWithdrawal, runUntilSettled, withdraw } from '#tests/support/chain-test-players.ts'
import type { TestWallet } from '#tests/support/chain-test-world.ts'
import {
  closeTokenAccount,
  createKnownPlayer,
  createSignerAfterSigning,
  newMainnetSigner,
} from '#tests/support/payouts.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { refundCancelled } from '../payouts/refund-cancelled.ts'
import { reviewRequests } from './review-requests.ts'

const world = setUpChainTestWorld()

const DAY_MS = 24 * 60 * 60_000

beforeEach(() => world.skipDays(1))

/** Requests a withdrawal, which a signer with this many withdrawals per wallet and day reviews. */
async function requestReviewed(wallet: TestWallet, perDay: number) {
  await withdraw(world, wallet, cotton(1))
  const signer = await newMainnetSigner(world)
  const { limits } = signer.settings
  const perWalletDay = { ...limits.perWalletDay, count: perDay }
  await reviewRequests({ ...signer, settings: { limits: { ...limits, perWalletDay } } })
  return { signer, ...(await readNewestWithdrawal(world, wallet)) }
}

test('what a player cancels counts for the day of the wallet', async () => {
  const wallet = await createKnownPlayer(world, { deposited: 100 })
  for (let count = 1; count <= 3; count++) {
    const { signer, id, reasons } = await requestReviewed(wallet, 2)
    expect(reasons).toEqual(count <= 2 ? [] : ['wallet_pace'])
    const cancel = { wallet: wallet.address, withdrawalId: id, key: null }
    await world.api.transaction((tx) => cancelWithdrawals(tx, [cancel], world.clock))
    await refundCancelled(signer)
    expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ id, state: 'refunded' })
  }
  world.clock.skip(DAY_MS + 1)
  expect((await requestReviewed(wallet, 2)).reasons).toEqual([])
})

test('what an operator rejects does not count', async () => {
  const wallet = await createKnownPlayer(world, { deposited: 100 })
  for (let count = 1; count <= 3; count++) {
    const { signer, id, reasons } = await requestReviewed(wallet, 1)
    expect(reasons).toEqual([])
    const rejected = { id, wallet: wallet.address, now: world.clock.now(), reason: 'Not today.' }
    expect(await signer.db.transaction((tx) => refundWithdrawal(tx, rejected))).toBe(true)
  }
})

test('a payout that fails because its player closes the token account counts for the day of the wallet', async () => {
  const wallet = await createKnownPlayer(world, { deposited: 100 })
  const { id } = await withdraw(world, wallet, cotton(1))
  const signer = await createSignerAfterSigning(world)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ id, state: 'signed' })
  await closeTokenAccount(world, wallet)
  await runUntilSettled(world, signer, [wallet])
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({
    id,
    state: 'refunded',
    reason: expect.stringContaining('The chain rejected the payout'),
  })
  expect((await requestReviewed(wallet, 1)).reasons).toEqual(['wallet_pace'])
})
