import { expect } from 'vitest'
import { sql } from '#server/platform/db/db.ts'
import { lockWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import { addWithdrawal, clearMoney } from '#tests/support/money-situations.ts'
import { test } from '#tests/support/test-world.ts'
import { readWithdrawalFacts } from './read-facts.ts'

test.afterEach(({ world }) => clearMoney(world))

const setReviewed = sql({
  name: 'test-set-reviewed',
  params: { at: 'timestamptz' },
  text: ({ at }) => `update withdrawals set judged_at = ${at}`,
})

/** The amount of each withdrawal in base units. */
const EACH = 10_500_000n

test('what is paid or on its way counts for the pace of its wallet and of all, and what is refunded does not', async ({
  world,
}) => {
  const id = await addWithdrawal(world, 'requested')
  for (const state of ['review', 'approved', 'signed', 'sent', 'finalized', 'refunded'])
    await addWithdrawal(world, state)
  const now = world.clock.now()
  await world.db.rows(setReviewed, { at: now })
  const withdrawal = (await world.db.transaction((tx) => lockWithdrawal(tx, id)))!
  const factsOf = (wallet: string) =>
    readWithdrawalFacts(world.db, { ...withdrawal, wallet }, { cluster: 'mainnet', now })
  // What waits in review counts for its own wallet only.
  const allWalletsHour = { count: 5, sum: 5n * EACH }
  expect(await factsOf(withdrawal.wallet)).toMatchObject({
    wasPaid: true,
    walletDay: { count: 6, sum: 6n * EACH },
    allWalletsHour,
  })
  expect(await factsOf('another wallet')).toMatchObject({
    wasPaid: false,
    walletDay: { count: 1, sum: EACH },
    allWalletsHour,
  })
})
