import { totalOf } from '#game/credit.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { StartProblem } from '#server/platform/start-problem.ts'
import { keepApproval, readApprovals } from '#server/signer/review/approvals.ts'
import { isOrdinaryWallet } from '#server/signer/review/destination.ts'
import { approvalsNeeded, LARGEST_BY_ONE } from '#server/withdrawals/approvals-needed.ts'
import { withdrawalsPaused } from '#server/withdrawals/withdrawal-switch.ts'
import { exactly } from './amounts.ts'
import type { Command } from './desk.ts'
import { findWithdrawal, STANDS } from './find-withdrawal.ts'
import { actLogged } from './operator-log.ts'

export const approve: Command = {
  usage: '<id> --by <name> [--reason <text>]',
  does: `approves a withdrawal in review. Above ${exactly(LARGEST_BY_ONE)} $COTTON a second person must approve it too`,
  words: 1,
  options: ['by', 'reason'],
  run(desk, given) {
    const id = given.words[0]!
    return actLogged(desk, { command: 'approve', arguments: { id }, given }, (tx, { who, now }) =>
      approveOne(tx, { id, who, now }),
    )
  },
}

async function approveOne(tx: Tx, approval: { id: string; who: string; now: Date }): Promise<string> {
  const { id, who } = approval
  const withdrawal = await findWithdrawal(tx, id)
  const { state, wallet } = withdrawal
  if (state !== 'review')
    throw new StartProblem(`Withdrawal ${id} ${STANDS[state]}: there is nothing to approve.`)
  if (!isOrdinaryWallet(wallet)) {
    throw new StartProblem(`${wallet} is no ordinary wallet and cannot be paid: reject withdrawal ${id}.`)
  }
  const amount = `${exactly(totalOf(withdrawal))} $COTTON to ${wallet}`
  const needed = approvalsNeeded(totalOf(withdrawal))
  const before = await readApprovals(tx, id)
  if (before.length >= needed) {
    throw new StartProblem(`Withdrawal ${id} was approved by ${before.join(' and ')} already.`)
  }
  if (!(await keepApproval(tx, approval))) {
    throw new StartProblem(
      `${who} has approved withdrawal ${id} already: above ${exactly(LARGEST_BY_ONE)} $COTTON another person must, too.`,
    )
  }
  if (before.length + 1 < needed) {
    return `${who} approves ${amount}. It is above ${exactly(LARGEST_BY_ONE)} $COTTON: a second person must approve it, too.`
  }
  const when = (await withdrawalsPaused(tx)) ? 'once withdrawals are resumed' : 'by itself'
  return `Approved: ${amount}. It goes out ${when}.`
}
