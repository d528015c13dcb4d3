import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Chain } from '#server/chain/port.ts'
import { createSigningRound } from '#server/signer/start-signer.ts'
import {
  readNewestWithdrawal,
  createPlayerWith,
  runUntilSettled,
  withdraw,
} from '#tests/support/chain-test-players.ts'
import { runQuery, waitUntil } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { watchSolvency } from './watch-solvency.ts'

const MINUTE_MS = 60_000

const world = setUpChainTestWorld()

/** A signer that has come up on a chain where tokens are worth something. */
function carefulSigner(over: Partial<Chain> = {}) {
  return world.newSigner({ ...world.chain, ...over, facts: { ...world.chain.facts, cluster: 'mainnet' } })
}

const checkReserve = (): Promise<void> =>
  waitUntil(async () => {
    const { watcher: db, chain, clock, log } = world
    return (await watchSolvency({ db, chain, clock, log })) !== null
  })

/** Lets a signer that is past its first rounds do many more. */
async function manyRounds(round: () => Promise<void>): Promise<void> {
  for (let left = 40; left > 0; left--) {
    await round()
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

/** A withdrawal that nothing speaks against any more, as if an operator had looked. */
async function approvedWithdrawal() {
  const wallet = await createPlayerWith(world, { deposited: 20 })
  const { id } = await withdraw(world, wallet, cotton(5))
  await runQuery(world.owner, `update withdrawals set state = 'approved', judged_at = $2 where id = $1`, [
    id,
    world.clock.now(),
  ])
  return { wallet, id }
}

test('while nobody sees the reserve nothing is signed, the player reads why, and payouts go on by themselves', async () => {
  const { wallet, id } = await approvedWithdrawal()
  const signer = await carefulSigner()
  const round = createSigningRound(signer)
  // Nobody has ever looked.
  await manyRounds(round)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({
    id,
    state: 'requested',
    reasons: ['reserve_unseen'],
    reason: expect.stringContaining('Waiting for a fresh check'),
    signature: null,
  })
  // The last look is too old: all nodes are away, say.
  await checkReserve()
  world.clock.skip(2 * MINUTE_MS)
  await manyRounds(round)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({ state: 'requested', signature: null })
  await checkReserve()
  await runUntilSettled(world, signer, [wallet])
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({
    state: 'finalized',
    reasons: [],
    reason: null,
  })
})

test('what is short for certain is not paid out of, even where an operator has resumed too early', async () => {
  const { wallet } = await approvedWithdrawal()
  const round = createSigningRound(await carefulSigner())
  await checkReserve()
  await runQuery(world.owner, 'update solvency set confirmed = true, short_since = at')
  await manyRounds(round)
  expect(await readNewestWithdrawal(world, wallet)).toMatchObject({
    reasons: ['reserve_unseen'],
    signature: null,
  })
  await runQuery(world.owner, 'update solvency set confirmed = false, short_since = null')
  await runUntilSettled(world, await world.newSigner(), [wallet])
})

test('a look that grows too old while a payout is built lets nothing be stored of it', async () => {
  const { wallet } = await approvedWithdrawal()
  world.clock.skip(2 * MINUTE_MS)
  let slow = false
  const signer = await carefulSigner({
    async nonceValue(account, commitment, of) {
      if (commitment === 'finalized' && slow) world.clock.skip(2 * MINUTE_MS)
      return world.chain.nonceValue(account, commitment, of)
    },
  })
  const round = createSigningRound(signer)
  await manyRounds(round)
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

test('on the local chain nobody waits for a look', async () => {
  const { wallet } = await approvedWithdrawal()
  world.clock.skip(2 * MINUTE_MS)
  await runUntilSettled(world, await world.newSigner(), [wallet])
})
