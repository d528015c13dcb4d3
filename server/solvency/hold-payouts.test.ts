import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Chain } from '#server/chain/port.ts'
import { signingRounds } from '#server/signer/sign-payouts.ts'
import { newestOf, playerWith, runUntilSettled, withdraw } from '#tests/support/money-players.ts'
import { ask, until } from '#tests/support/money-world.ts'
import { moneyWorld } from '#tests/support/one-money-world.ts'
import { watchSolvency } from './watch-solvency.ts'

const MINUTE_MS = 60_000

const world = moneyWorld()

/** A signer that has come up on a chain where tokens are worth something. */
function carefulSigner(over: Partial<Chain> = {}) {
  return world.newSigner({ ...world.chain, ...over, facts: { ...world.chain.facts, cluster: 'mainnet' } })
}

const look = (): Promise<void> =>
  until(async () => {
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
  const wallet = await playerWith(world, { deposited: 20 })
  const { id } = await withdraw(world, wallet, cotton(5))
  await ask(world.owner, `update withdrawals set state = 'approved', judged_at = $2 where id = $1`, [
    id,
    world.clock.now(),
  ])
  return { wallet, id }
}

test('while nobody sees the reserve nothing is signed, the player reads why, and payouts go on by themselves', async () => {
  const { wallet, id } = await approvedWithdrawal()
  const signer = await carefulSigner()
  const round = signingRounds(signer)
  // Nobody has ever looked.
  await manyRounds(round)
  expect(await newestOf(world, wallet)).toMatchObject({
    id,
    state: 'requested',
    reasons: ['reserve_unseen'],
    reason: expect.stringContaining('Waiting for a fresh check'),
    signature: null,
  })
  // The last look is too old: all nodes are away, say.
  await look()
  world.clock.skip(2 * MINUTE_MS)
  await manyRounds(round)
  expect(await newestOf(world, wallet)).toMatchObject({ state: 'requested', signature: null })
  await look()
  await runUntilSettled(world, signer, [wallet])
  expect(await newestOf(world, wallet)).toMatchObject({ state: 'finalized', reasons: [], reason: null })
})

test('what is short for certain is not paid out of, even where an operator has resumed too early', async () => {
  const { wallet } = await approvedWithdrawal()
  const round = signingRounds(await carefulSigner())
  await look()
  await ask(world.owner, 'update solvency set confirmed = true, short_since = at')
  await manyRounds(round)
  expect(await newestOf(world, wallet)).toMatchObject({ reasons: ['reserve_unseen'], signature: null })
  await ask(world.owner, 'update solvency set confirmed = false, short_since = null')
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
  const round = signingRounds(signer)
  await manyRounds(round)
  await look()
  slow = true
  await round()
  expect(await newestOf(world, wallet)).toMatchObject({ state: 'requested', signature: null })
  slow = false
  await look()
  await until(async () => {
    await round()
    return (await newestOf(world, wallet)).settledAt !== null
  })
})

test('on the local chain nobody waits for a look', async () => {
  const { wallet } = await approvedWithdrawal()
  world.clock.skip(2 * MINUTE_MS)
  await runUntilSettled(world, await world.newSigner(), [wallet])
})
