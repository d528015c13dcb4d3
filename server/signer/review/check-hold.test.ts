import { expect } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { refundWithdrawal, settleWithdrawal } from '#server/withdrawals/close-withdrawal.ts'
import { lockWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import { test } from '#tests/support/test-world.ts'
import { withdrawFrom } from '#tests/support/withdraw-without-chain.ts'
import { isHeld, isReleased } from './check-hold.ts'

/** The id of a hold that sorts after every other journal: whoever may write journals can choose it. */
const LAST_ID = 'ffffffff-ffff-7fff-bfff-ffffffffffff'

test('a withdrawal that was paid or refunded is released, whatever id its hold has', async ({ world }) => {
  const player = await world.player({ deposited: 9 })
  const request = (whole: number) => withdrawFrom(world, player, cotton(whole))
  const [paid, refunded, open] = [await request(2), await request(3), await request(4)]
  const read = async ({ id }: { id: string }) => (await world.db.transaction((tx) => lockWithdrawal(tx, id)))!
  for (const each of [paid, refunded, open]) {
    expect(await isHeld(world.db, await read(each))).toBe(true)
    expect(await isReleased(world.db, await read(each))).toBe(false)
  }
  const of = { wallet: player.wallet, now: world.clock.now() }
  await world.db.transaction(async (tx) => {
    await settleWithdrawal(tx, { ...of, id: paid.id, signature: 'of a payout' })
    await refundWithdrawal(tx, { ...of, id: refunded.id, reason: 'It failed.' })
  })
  for (const each of [paid, refunded]) {
    const row = await read(each)
    for (const holdId of [row.holdId, LAST_ID])
      expect(await isReleased(world.db, { ...row, holdId })).toBe(true)
  }
  expect(await isReleased(world.db, await read(open))).toBe(false)
})
