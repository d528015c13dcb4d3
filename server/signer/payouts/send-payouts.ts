import { areKnown } from '#server/chain/quorum.ts'
import { moveWithdrawal, readOpenPayouts } from '#server/withdrawals/open-withdrawals.ts'
import { trackFailedWithdrawals } from '../failed-withdrawals.ts'
import type { StepDeps } from '../step-deps.ts'

type SendPayoutsDeps = Pick<StepDeps, 'db' | 'chain' | 'log'>

/**
 * Sends signed payouts, the same bytes again in each round until they land. One signature and one nonce mean that they
 * land at most once. The node's response decides nothing; only the finalized record of the chain does.
 */
export async function sendPayouts({ db, chain, log }: SendPayoutsDeps): Promise<void> {
  const payouts = await readOpenPayouts(db)
  if (payouts.length === 0) return
  const known = await areKnown(
    chain,
    payouts.map((payout) => payout.signature),
  )
  const failed = trackFailedWithdrawals({ log })
  for (const [at, { id, wire, state }] of payouts.entries()) {
    if (known[at]) continue
    await failed.isolate(id, async () => {
      // Preflight would only add the opinion of one node.
      const sent = await chain.send(wire, { skipPreflight: true })
      if (sent.state === 'rejected')
        log.warn({ withdrawal: id, detail: sent.detail }, 'a node rejected a payout')
      if (state === 'signed') await moveWithdrawal(db, { id, from: 'signed', to: 'sent' })
    })
  }
  failed.end()
}
