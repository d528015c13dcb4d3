import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { freezeWallet } from '#server/freeze/freeze-wallet.ts'
import { SITE } from '#tests/support/chain-test-world.ts'
import { test } from '#tests/support/test-world.ts'
import { withdrawFrom } from '#tests/support/withdraw-without-chain.ts'
import { challengeWithdrawal } from './challenge-withdrawal.ts'

test('a frozen wallet gets no challenge and reads why and since when', async ({ world }) => {
  const { wallet } = await world.player({ deposited: 10 })
  const challenge = () => challengeWithdrawal({ ...world, site: SITE }, { wallet, amount: cotton(1) })
  await challenge()
  const since = world.clock.now()
  const freeze = { wallet, reason: 'We are examining a report.', who: 'ana', now: since }
  await world.db.transaction((tx) => freezeWallet(tx, freeze))
  await expect(challenge()).rejects.toMatchObject({
    refusal: { code: 'wallet_frozen', facts: { reason: freeze.reason, since: since.toISOString() } },
  })
})

test('a wallet with as many open withdrawals as it may have reads how many', async ({ world }) => {
  const player = await world.player({ deposited: 10 })
  for (let count = 0; count < 2; count++) await withdrawFrom(world, player, cotton(1))
  const challenge = (maxOpen: number) =>
    challengeWithdrawal({ ...world, site: SITE, maxOpen }, { wallet: player.wallet, amount: cotton(1) })
  await expect(challenge(2)).rejects.toMatchObject({
    refusal: { code: 'too_many_withdrawals', facts: { open: 2, most: 2 } },
  })
  await challenge(3)
})
