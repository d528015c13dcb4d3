import { AuthorityType, getSetAuthorityInstruction } from '@solana-program/token'
import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import type { Address } from '#server/chain/port.ts'
import { signWithBlockhash } from '#server/chain/transactions.ts'
import {
  readNewestWithdrawal,
  createPlayerWith,
  runUntilSettled,
  withdraw,
} from '#tests/support/chain-test-players.ts'
import { runQuery, type TestWallet, waitUntil } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { expectPaidOnce } from '#tests/support/payouts.ts'
import { readWithdrawals } from '#server/withdrawals/read-withdrawals.ts'
import { createSigningRound } from '../start-signer.ts'

const world = setUpChainTestWorld()

const MINUTE_MS = 60_000

/** Gives the token account of a wallet to another owner, so that it cannot receive payouts. */
async function giveAccountAway(wallet: TestWallet, { from, to }: { from: TestWallet; to: string }) {
  const instruction = getSetAuthorityInstruction({
    owned: await world.chain.tokenAccountOf(wallet.signer.address),
    owner: from.signer,
    authorityType: AuthorityType.AccountOwner,
    newAuthority: to as Address,
  })
  const lifetime = await world.chain.latestBlockhash('confirmed')
  const { wire, signature } = await signWithBlockhash(from.signer, lifetime, [instruction])
  await world.chain.send(wire)
  await world.waitUntilFinal(signature)
}

test('a hundred and twenty unpayable withdrawals do not delay others, and are paid once they can be', async () => {
  const stranger = await world.wallet()
  const attackers = await Promise.all(
    Array.from({ length: 12 }, () => createPlayerWith(world, { deposited: 10 })),
  )
  const honest = await createPlayerWith(world, { deposited: 1_000 })
  for (const wallet of attackers) {
    await giveAccountAway(wallet, { from: wallet, to: stranger.address })
    for (let count = 0; count < 10; count++) await withdraw(world, wallet, cotton(1))
  }
  await withdraw(world, honest, cotton(1_000))

  const requested: number[] = []
  const signer = await world.newSigner({
    ...world.chain,
    tokenAccounts: (accounts) => {
      requested.push(accounts.length)
      return world.chain.tokenAccounts(accounts)
    },
  })
  await runUntilSettled(world, signer, [honest])
  await expectPaidOnce(world, honest)
  // A round reads all token accounts in one call.
  expect(requested).not.toEqual([])
  expect(Math.max(...requested)).toBeLessThanOrEqual(100)

  const waiting = await Promise.all(attackers.map(({ address }) => readWithdrawals(world.api, address)))
  expect(waiting.flat()).toHaveLength(120)
  for (const each of waiting.flat())
    expect(each).toMatchObject({ state: 'requested', reasons: ['account_unusable'], settledAt: null })

  const [first] = attackers as [TestWallet]
  await giveAccountAway(first, { from: stranger, to: first.address })
  world.clock.skip(10 * MINUTE_MS)
  await runUntilSettled(world, signer, [first])
  await expectPaidOnce(world, first)
})

test('an unpayable withdrawal is retried with growing delays of at most ten minutes', async () => {
  const stranger = await world.wallet()
  const wallet = await createPlayerWith(world, { deposited: 10 })
  await giveAccountAway(wallet, { from: wallet, to: stranger.address })
  const { id } = await withdraw(world, wallet, cotton(1))
  const round = createSigningRound(await world.newSigner())
  await waitUntil(async () => {
    await round()
    return (await readNewestWithdrawal(world, wallet)).reasons.length > 0
  })
  const retry = async () => {
    const [row] = await runQuery<{ tries: number; retryAt: Date }>(
      world.owner,
      'select tries, retry_at as "retryAt" from withdrawals where id = $1',
      [id],
    )
    return { tries: row!.tries, inMs: row!.retryAt.getTime() - world.clock.now().getTime() }
  }
  const triedAgain = async () => {
    const { tries } = await retry()
    world.clock.skip(10 * MINUTE_MS)
    await waitUntil(async () => {
      await round()
      return (await retry()).tries > tries
    })
    return retry()
  }
  expect((await retry()).inMs).toBeLessThanOrEqual(1_000)
  await runQuery(world.owner, 'update withdrawals set tries = 8 where id = $1', [id])
  const ninth = await triedAgain()
  expect(ninth).toMatchObject({ tries: 9 })
  expect(ninth.inMs).toBeGreaterThan(60_000)
  await runQuery(world.owner, 'update withdrawals set tries = 5000 where id = $1', [id])
  const late = await triedAgain()
  expect(late.inMs).toBeGreaterThan(9 * MINUTE_MS)
  expect(late.inMs).toBeLessThanOrEqual(10 * MINUTE_MS)
})
