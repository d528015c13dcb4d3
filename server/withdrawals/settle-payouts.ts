import { type OpenPayout, readOpenPayouts } from './open-withdrawals.ts'
import { refundWithdrawal, settleWithdrawal } from './close-withdrawal.ts'
import type { Signer } from './signer.ts'

/** Closes the payouts whose end is final on the chain: paid ones are settled, failed ones come back to the player. */
export async function settlePayouts(signer: Signer): Promise<void> {
  const payouts = await readOpenPayouts(signer.db)
  if (payouts.length === 0) return
  const statuses = await signer.chain.statuses(payouts.map((payout) => payout.signature))
  for (const [at, payout] of payouts.entries()) {
    const status = statuses[at]
    // Only a final block never comes back; no answer at all says nothing.
    if (status?.commitment === 'finalized') await closePayout(signer, payout, status.failed)
  }
}

async function closePayout(
  { db, clock, log }: Signer,
  { id, wallet, signature }: OpenPayout,
  failed: boolean,
): Promise<void> {
  const closed = await db.transaction(async (tx) => {
    const now = clock.now()
    if (!failed) return settleWithdrawal(tx, { id, wallet, now, signature })
    log.error({ withdrawal: id, transaction: signature }, 'a payout failed on the chain and was refunded')
    const reason = 'The chain refused the payout. The tokens are back in your balance.'
    return refundWithdrawal(tx, { id, wallet, now, reason })
  })
  if (closed && !failed) log.info({ withdrawal: id, transaction: signature }, 'a withdrawal was paid')
}
