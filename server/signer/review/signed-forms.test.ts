import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { SIGNED_FORMS } from '#server/account/signed-forms/signed-forms.ts'
import { submitDeposit } from '#server/deposits/submit-deposit.ts'
import { challengeWithdrawal } from '#server/withdrawals/challenge-withdrawal.ts'
import { readRequested } from '#server/withdrawals/open-withdrawals.ts'
import {
  createPlayerWith,
  runUntilSettled,
  signWithdrawalRequest,
  submitRequests,
} from '#tests/support/chain-test-players.ts'
import { runQuery, signWire, SITE } from '#tests/support/chain-test-world.ts'
import { setUpChainTestWorld } from '#tests/support/set-up-chain-test-world.ts'
import { messageOf, SIGNING_WALLETS } from '#tests/support/signing-wallets.ts'
import { isSigned } from './check-signature.ts'

const world = setUpChainTestWorld()

test('a withdrawal is paid in whatever form the wallet signed it, and in no other', async () => {
  const player = await createPlayerWith(world, { deposited: 21 })
  for (const [at, wallet] of SIGNING_WALLETS.entries())
    await submitRequests(world, [await signWithdrawalRequest(world, player, cotton(at + 1), wallet)])
  const requested = await readRequested(world.owner)
  expect(requested.map((each) => each.signedForm)).toEqual([
    'raw',
    'offchain_v0_no_domain',
    'offchain_v1',
    'sign_in',
    'memo_transaction',
    'raw',
  ])
  for (const withdrawal of requested) {
    for (const signedForm of [...SIGNED_FORMS, 'unknown']) {
      const isOwn = signedForm === withdrawal.signedForm
      expect(await isSigned(SITE, { ...withdrawal, signedForm })).toBe(isOwn)
    }
  }
  await runUntilSettled(world, await world.newSigner(), [player])
  expect(await world.tokenBalanceOf(player.address)).toBe(cotton(21))
})

test('a signed memo transaction is not forwarded to the chain', async () => {
  const player = await createPlayerWith(world, { deposited: 1 })
  const deps = { db: world.api, clock: world.clock, site: SITE }
  const of = { wallet: player.address, amount: cotton(1), form: 'transaction' } as const
  const unsigned = (await challengeWithdrawal(deps, of)).transaction!
  const transaction = await signWire(player, unsigned, messageOf(unsigned))
  const submitted = submitDeposit({ ...deps, chain: world.chain }, { wallet: player.address, transaction })
  await expect(submitted).rejects.toMatchObject({ refusal: { code: 'transaction_not_ours' } })
})

test('the table stores every form and no other', async () => {
  const [check] = await runQuery<{ definition: string }>(
    world.owner,
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'withdrawals_signed_form_check'`,
  )
  const stored = [...check!.definition.matchAll(/'(\w+)'::text/g)].map(([, name]) => name)
  expect(stored).toEqual([...SIGNED_FORMS])
})
