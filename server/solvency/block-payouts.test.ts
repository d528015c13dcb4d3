import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { type Chain, ChainUnavailable } from '#server/chain/port.ts'
import { reviewRequests } from '#server/signer/review/review-requests.ts'
import { readSignerState } from '#server/signer/signer-state.ts'
import { createSigningRound } from '#server/signer/start-signer.ts'
import {
  readNewestWithdrawal,
  createPlayerWith,
  runUntilSettled,
  withdraw,
} from '#tests/support/chain-test-players.ts'
import { runQuery, waitUntil } from '#tests/support/chain-test-world.ts'
import { createNode } from '#tests/support/nodes.ts'
import { newMainnetSigner } from '#tests/support/payouts.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { watchSolvency } from './watch-solvency.ts'

const MINUTE_MS = 60_000

const world = setUpChainTestWorld()

const watchOnce = (chain: Chain) => {
  const { watcher: db, clock, log } = world
  return watchSolvency({ db, chain, clock, log })
}

const checkReserve = (chain: Chain = world.chain): Promise<void> =>
  waitUntil(async () => (await watchOnce(chain)) !== null)

/** Runs a signer until it may sign new payouts, and five rounds more. */
async function runPastStart(round: () => Promise<void>): Promise<void> {
  await waitUntil(async () => {
    await round()
    return (await readSignerState(world.owner, world.clock.now()))?.stage === 'ready'
  })
  for (let left = 5; left > 0; left--) await round()
}

/** A withdrawal that the policy has approved. */
async function approvedWithdrawal() {
  const wallet = await createPlayerWith(world, { deposited: 20 })
  const { id } = await withdraw(world, wallet, cotton(5))
  await reviewRequests(await world.newSigner())
  return { wallet, id }
}

test('without a recent reserve check nothing is signed, the player sees why, and payouts resume by themselves', async () => {
  const { wallet, id } = await approvedWithdrawal()
  const signer = await newMainnetSigner(world)
  const round = createSigningRound(signer)
  // There is no reserve check yet.
  await runPastStart(round)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({
    id,
    state: 'requested',
    reasons: ['reserve_unseen'],
    reason: expect.stringContaining('Waiting for a fresh check'),
    signature: null,
  })
  // The last check is too old, for example because no node answers.
  await checkReserve()
  world.clock.skip(2 * MINUTE_MS)
  await runPastStart(round)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'requested', signature: null })
  await checkReserve()
  await runUntilSettled(world, signer, [wallet])
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({
    state: 'finalized',
    reasons: [],
    reason: null,
  })
})

test('nothing is paid from a reserve with a confirmed shortage, even if an operator has resumed too early', async () => {
  const { wallet } = await approvedWithdrawal()
  const round = createSigningRound(await newMainnetSigner(world))
  await checkReserve()
  await runQuery(world.owner, 'update solvency set confirmed = true, short_since = at')
  await runPastStart(round)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({
    reasons: ['reserve_unseen'],
    signature: null,
  })
  await runQuery(world.owner, 'update solvency set confirmed = false, short_since = null')
  await runUntilSettled(world, await world.newSigner(), [wallet])
})

test('a payout is not stored if the reserve check becomes too old while the payout is built', async () => {
  const { wallet } = await approvedWithdrawal()
  world.clock.skip(2 * MINUTE_MS)
  let slow = false
  const signer = await newMainnetSigner(world, {
    async nonceValue(account, commitment, of) {
      if (commitment === 'finalized' && slow) world.clock.skip(2 * MINUTE_MS)
      return world.chain.nonceValue(account, commitment, of)
    },
  })
  const round = createSigningRound(signer)
  await runPastStart(round)
  await checkReserve()
  slow = true
  await round()
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'requested', signature: null })
  slow = false
  await checkReserve()
  await waitUntil(async () => {
    await round()
    return (await readNewestWithdrawal(world, wallet)).settledAt !== null
  })
})

test('on the local chain payouts do not wait for a reserve check', async () => {
  const { wallet } = await approvedWithdrawal()
  world.clock.skip(2 * MINUTE_MS)
  await runUntilSettled(world, await world.newSigner(), [wallet])
})

test('a node that names a slot in the future does not end the checks of the reserve', async () => {
  const { chain } = world
  const inventing: Chain = {
    ...chain,
    tokenBalances: async (...args) => ({ ...(await chain.tokenBalances(...args)), slot: 10n ** 15n }),
  }
  expect(await watchOnce(inventing)).toBeNull()
  const silent = createNode(chain, { slot: () => Promise.reject(new ChainUnavailable('no answer')) })
  for (const nodes of [chain.nodes, [createNode(chain), silent]]) await checkReserve({ ...chain, nodes })
})
