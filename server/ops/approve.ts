import { formatExact } from '#game/cotton.ts'
import { totalOf } from '#game/credit.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { recordApproval, readApprovals } from '#server/signer/review/approvals.ts'
import { isOrdinaryWallet } from '#server/signer/review/ordinary-wallet.ts'
import { approvalsNeeded, MAX_SINGLE_APPROVAL } from '#server/withdrawals/approvals-needed.ts'
import { withdrawalsPaused } from '#server/withdrawals/withdrawal-pause.ts'
import type { Command } from './command.ts'
import { findWithdrawal, STATE_TEXTS } from './find-withdrawal.ts'
import { runLogged } from './operator-log.ts'

export const approve: Command = {
  usage: '<id> --by <name> [--reason <text>]',
  description: `approves a withdrawal in review. Above ${formatExact(MAX_SINGLE_APPROVAL)} $COTTON a second person must approve it too`,
  positionals: 1,
  options: ['by', 'reason'],
  run(context, given) {
    const id = given.positionals[0]!
    return runLogged(context, { command: 'approve', arguments: { id }, given }, (tx, { who, now }) =>
      approveOne(tx, { id, who, now }),
    )
  },
}

async function approveOne(tx: Tx, approval: { id: string; who: string; now: Date }): Promise<string> {
  const { id, who } = approval
  const withdrawal = await findWithdrawal(tx, id)
  const { state, wallet } = withdrawal
  if (state !== 'review')
    throw new StartupError(`Withdrawal ${id} ${STATE_TEXTS[state]}. It cannot be approved.`)
  if (!isOrdinaryWallet(wallet)) {
    throw new StartupError(
      `${wallet} is an address without a private key and cannot be paid. Reject withdrawal ${id}.`,
    )
  }
  const amount = `${formatExact(totalOf(withdrawal))} $COTTON to ${wallet}`
  const needed = approvalsNeeded(totalOf(withdrawal))
  const before = await readApprovals(tx, id)
  if (before.length >= needed) {
    throw new StartupError(`Withdrawal ${id} is already approved by ${before.join(' and ')}.`)
  }
  if (!(await recordApproval(tx, approval))) {
    throw new StartupError(
      `${who} has already approved withdrawal ${id}. Above ${formatExact(MAX_SINGLE_APPROVAL)} $COTTON another person must approve it too.`,
    )
  }
  if (before.length + 1 < needed) {
    return `${who} approves ${amount}. It is above ${formatExact(MAX_SINGLE_APPROVAL)} $COTTON: a second person must approve it too.`
  }
  const when = (await withdrawalsPaused(tx)) ? 'once withdrawals are resumed' : 'when it next runs'
  return `Approved: ${amount}. The signer pays it ${when}.`
}
