import { moveWithdrawal, readOpenPayouts } from '#server/withdrawals/open-withdrawals.ts'
import type { Signer } from '../signer.ts'

/**
 * Sends what was signed, the same bytes as often as it takes: they carry one signature and one nonce, so they land
 * once. What a node says to it decides nothing; only the chain's own final record does.
 */
export async function sendPayouts({ db, chain, log }: Signer): Promise<void> {
  const payouts = await readOpenPayouts(db)
  if (payouts.length === 0) return
  const statuses = await chain.statuses(payouts.map((payout) => payout.signature))
  for (const [at, { id, wire, state }] of payouts.entries()) {
    if (statuses[at]) continue
    // Preflight would only ask one node's opinion.
    const sent = await chain.send(wire, { skipPreflight: true })
    if (sent.state === 'rejected')
      log.warn({ withdrawal: id, detail: sent.detail }, 'a node refused a payout')
    if (state === 'signed') await moveWithdrawal(db, { id, from: 'signed', to: 'sent' })
  }
}
