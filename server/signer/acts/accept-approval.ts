import { formatExact } from '#game/cotton.ts'
import { totalOf } from '#game/credit.ts'
import { countApprovals, isApproved } from '#server/operators/count-approvals.ts'
import type { Operator } from '#server/operators/read-operators.ts'
import type { ActContext } from '#server/operators/verify-act.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { withdrawalsPaused } from '#server/withdrawals/withdrawal-pause.ts'
import { isOrdinaryWallet } from '../review/ordinary-wallet.ts'
import { findWithdrawal, requireSigned, STATE_TEXTS } from './find-withdrawal.ts'

type Approval = { id: string; wallet: string; amount: bigint; operator: Operator; now: Date }

/**
 * Accepts a verified approval, or refuses it with a sentence. It changes nothing else: the approvals are counted again
 * when the withdrawal is approved and when its payout is stored.
 */
export async function acceptApproval(tx: Tx, context: ActContext, approval: Approval): Promise<string> {
  const { id, operator, now, ...of } = approval
  const withdrawal = await findWithdrawal(tx, id)
  const { state, wallet } = withdrawal
  if (state !== 'review')
    throw new StartupError(`Withdrawal ${id} ${STATE_TEXTS[state]}. It cannot be approved.`)
  // The signer executes acts before it refunds what is cancelled.
  if (withdrawal.cancelledAt !== null)
    throw new StartupError(`Withdrawal ${id} was cancelled by its player. It cannot be approved.`)
  requireSigned(withdrawal, of)
  if (!isOrdinaryWallet(wallet)) {
    throw new StartupError(
      `${wallet} is an address without a private key and cannot be paid. Reject withdrawal ${id}.`,
    )
  }
  const limit = formatExact(context.operators.secondAbove)
  const before = await countApprovals(tx, context, { withdrawal, now })
  if (before.by.some((each) => each.wallet === operator.wallet)) {
    throw new StartupError(
      `${operator.name} has already approved withdrawal ${id}. Above ${limit} $COTTON another operator must approve it too.`,
    )
  }
  if (isApproved(before)) {
    const names = before.by.map((each) => each.name).join(' and ')
    throw new StartupError(`Withdrawal ${id} is already approved by ${names}.`)
  }
  const amount = `${formatExact(totalOf(withdrawal))} $COTTON to ${wallet}`
  if (before.by.length + 1 < before.needed) {
    return `${operator.name} approves ${amount}. It is above ${limit} $COTTON: a second operator must approve it too.`
  }
  const when = (await withdrawalsPaused(tx)) ? 'once withdrawals are resumed' : 'when it next runs'
  return `Approved: ${amount}. The signer pays it ${when}.`
}
