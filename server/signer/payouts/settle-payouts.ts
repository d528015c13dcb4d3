import { WITHDRAWAL_REASONS } from '#contract/withdrawal-reasons.ts'
import { type TransactionOutcome, readAgreedReceipt, readOutcomes } from '#server/chain/quorum.ts'
import { ChainUnavailable, type Signature } from '#server/chain/port.ts'
import { refundWithdrawal, settleWithdrawal } from '#server/withdrawals/close-withdrawal.ts'
import { type OpenPayout, readOpenPayouts } from '#server/withdrawals/open-withdrawals.ts'
import { trackFailedWithdrawals } from '../failed-withdrawals.ts'
import { type ReconcileDeps, reconcilePayouts } from './reconcile-payouts.ts'
import type { LoggedPayout, SignedPayoutLog } from './signed-payout-log.ts'

type SettlePayoutsDeps = ReconcileDeps & { signed: SignedPayoutLog }

/**
 * Closes payouts whose outcome is finalized, on two nodes if there are several: landed ones are settled, failed ones
 * are refunded. At most one attempt of a payout has an outcome, because all attempts share a nonce.
 */
export async function settlePayouts(deps: SettlePayoutsDeps): Promise<void> {
  const payouts = await readOpenPayouts(deps.db)
  if (payouts.length === 0) return
  const signatures = payouts.flatMap((payout) => payout.attempts.map((attempt) => attempt.signature))
  const outcomes = await readOutcomes(deps.chain, signatures)
  const outcomeOf = new Map(signatures.map((signature, at) => [signature, outcomes[at]!]))
  const vanished: OpenPayout[] = []
  const failed = trackFailedWithdrawals(deps)
  for (const payout of payouts) {
    await failed.isolate(payout.id, async () => {
      const closed = await closePayout(deps, payout, outcomeOf)
      if (!closed && (await isUnseen(deps, payout, outcomeOf))) vanished.push(payout)
    })
  }
  // A replacement that a restored database does not contain may have landed instead of the known attempts.
  if (vanished.length > 0) {
    await reconcilePayouts(deps)
    const logged = deps.signed.newest()
    for (const payout of vanished) await failed.isolate(payout.id, () => closeVanished(deps, payout, logged))
  }
  failed.end()
}

const ENDED = new Set<TransactionOutcome>(['landed', 'failed'])

type Outcomes = ReadonlyMap<Signature, TransactionOutcome>

async function closePayout(
  deps: SettlePayoutsDeps,
  payout: OpenPayout,
  outcomeOf: Outcomes,
): Promise<boolean> {
  const { db, clock, log } = deps
  const { id, wallet } = payout
  // Only a finalized block cannot be reverted. An absent status proves nothing.
  const ended = payout.attempts.find(({ signature }) => ENDED.has(outcomeOf.get(signature)!))
  if (!ended) return false
  const { signature } = ended
  const failed = outcomeOf.get(signature) === 'failed'
  if (failed && !(await hasSurelyFailed(deps, payout, signature))) return false
  if (failed) await refundFailed(deps, payout, signature)
  else if (await db.transaction((tx) => settleWithdrawal(tx, { id, wallet, now: clock.now(), signature })))
    log.info({ withdrawal: id, transaction: signature }, 'a withdrawal was paid')
  return true
}

async function refundFailed(
  { db, clock, log }: SettlePayoutsDeps,
  { id, wallet }: OpenPayout,
  signature: Signature,
): Promise<void> {
  const reason = WITHDRAWAL_REASONS.payout_failed
  if (await db.transaction((tx) => refundWithdrawal(tx, { id, wallet, now: clock.now(), reason })))
    log.error({ withdrawal: id, transaction: signature }, 'a payout failed on the chain and was refunded')
}

/** The history of the treasury's token account lacks failed replacements; the log of signed payouts contains them. */
async function closeVanished(
  deps: SettlePayoutsDeps,
  payout: OpenPayout,
  logged: readonly LoggedPayout[],
): Promise<void> {
  for (const { id, signature } of logged)
    if (id === payout.id && (await hasSurelyFailed(deps, payout, signature)))
      return refundFailed(deps, payout, signature)
}

/**
 * A refund cannot be reversed, so one status from one node is not enough. The transaction itself must show the failure,
 * on two nodes if there are several, and it must have used up the nonce that all attempts share.
 */
async function hasSurelyFailed(
  { chain, treasury, treasuryTokens }: SettlePayoutsDeps,
  { lane }: OpenPayout,
  signature: Signature,
): Promise<boolean> {
  if ((await chain.nonceValue(lane.nonceAccount, 'finalized')) === lane.nonce) return false
  const of = { owner: treasury.address, tokenAccount: treasuryTokens }
  const receipt = await readAgreedReceipt(chain, signature, of).catch((error: unknown) => {
    // An answer that contradicts itself counts as none, too. It delays this refund, and no other payout.
    if (error instanceof ChainUnavailable) return null
    throw error
  })
  return receipt !== null && receipt.failed && receipt.amount === 0n && receipt.lifetime === lane.nonce
}

async function isUnseen(
  { chain }: SettlePayoutsDeps,
  { attempts, lane }: OpenPayout,
  outcomeOf: Outcomes,
): Promise<boolean> {
  if (attempts.some(({ signature }) => outcomeOf.get(signature) !== 'unseen')) return false
  const nonce = await chain.nonceValue(lane.nonceAccount, 'finalized')
  return nonce !== null && nonce !== lane.nonce
}
