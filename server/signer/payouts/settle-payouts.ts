import { WITHDRAWAL_REASONS } from '#contract/withdrawal-reasons.ts'
import { type TransactionOutcome, readOutcomes, checkReceiptQuorum } from '#server/chain/quorum.ts'
import type { Signature } from '#server/chain/port.ts'
import { refundWithdrawal, settleWithdrawal } from '#server/withdrawals/close-withdrawal.ts'
import { type OpenPayout, readOpenPayouts } from '#server/withdrawals/open-withdrawals.ts'
import { reconcilePayouts } from './reconcile-payouts.ts'
import type { Signer } from '../signer.ts'

/**
 * Closes the payouts whose end is final on the chain, on two nodes where there are several: paid ones are settled,
 * failed ones come back to the player. Of all attempts at one payout at most one has an end, because they share a nonce.
 */
export async function settlePayouts(signer: Signer): Promise<void> {
  const payouts = await readOpenPayouts(signer.db)
  if (payouts.length === 0) return
  const signatures = payouts.flatMap((payout) => payout.attempts.map((attempt) => attempt.signature))
  const outcomes = await readOutcomes(signer.chain, signatures)
  const outcomeOf = new Map(signatures.map((signature, at) => [signature, outcomes[at]!]))
  const vanished: OpenPayout[] = []
  for (const payout of payouts) {
    const closed = await closePayout(signer, payout, outcomeOf)
    if (!closed && (await isUnseen(signer, payout, outcomeOf))) vanished.push(payout)
  }
  // A replacement that a restored backup has forgotten may have landed in place of what the books know.
  if (vanished.length > 0) await reconcilePayouts(signer)
  for (const payout of vanished) await closeForgotten(signer, payout)
}

const ENDED = new Set<TransactionOutcome>(['landed', 'failed'])

type Outcomes = ReadonlyMap<Signature, TransactionOutcome>

async function closePayout(signer: Signer, payout: OpenPayout, outcomeOf: Outcomes): Promise<boolean> {
  const { db, clock, log } = signer
  const { id, wallet } = payout
  // Only a final block never comes back; no answer at all says nothing.
  const ended = payout.attempts.find(({ signature }) => ENDED.has(outcomeOf.get(signature)!))
  if (!ended) return false
  const { signature } = ended
  const failed = outcomeOf.get(signature) === 'failed'
  if (failed && !(await hasSurelyFailed(signer, payout, signature))) return false
  if (failed) await refundFailed(signer, payout, signature)
  else if (await db.transaction((tx) => settleWithdrawal(tx, { id, wallet, now: clock.now(), signature })))
    log.info({ withdrawal: id, transaction: signature }, 'a withdrawal was paid')
  return true
}

async function refundFailed(
  { db, clock, log }: Signer,
  { id, wallet }: OpenPayout,
  signature: Signature,
): Promise<void> {
  const reason = WITHDRAWAL_REASONS.payout_failed
  if (await db.transaction((tx) => refundWithdrawal(tx, { id, wallet, now: clock.now(), reason })))
    log.error({ withdrawal: id, transaction: signature }, 'a payout failed on the chain and was refunded')
}

/** A replacement that failed is in no payment's history; the signer's own list still names it. */
async function closeForgotten(signer: Signer, payout: OpenPayout): Promise<void> {
  for (const { id, signature } of signer.signed.all())
    if (id === payout.id && (await hasSurelyFailed(signer, payout, signature)))
      return refundFailed(signer, payout, signature)
}

/**
 * A refund cannot be taken back, so one word of one node is not enough: the transaction itself must show its failure,
 * on two nodes where there are several, and it must stand on the nonce of every attempt, which it has used up.
 */
async function hasSurelyFailed(
  { chain, treasury, treasuryTokens }: Signer,
  { lane }: OpenPayout,
  signature: Signature,
): Promise<boolean> {
  if ((await chain.nonceValue(lane.nonceAccount, 'finalized')) === lane.nonce) return false
  const of = { owner: treasury.address, tokenAccount: treasuryTokens }
  const receipt = await chain.receipt(signature, of, 'finalized')
  if (receipt === null || !receipt.failed || receipt.amount !== 0n) return false
  if (receipt.lifetime !== lane.nonce) return false
  return (await checkReceiptQuorum(chain, receipt, of)) === 'agreed'
}

async function isUnseen(
  { chain }: Signer,
  { attempts, lane }: OpenPayout,
  outcomeOf: Outcomes,
): Promise<boolean> {
  if (attempts.some(({ signature }) => outcomeOf.get(signature) !== 'unseen')) return false
  const nonce = await chain.nonceValue(lane.nonceAccount, 'finalized')
  return nonce !== null && nonce !== lane.nonce
}
