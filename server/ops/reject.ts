import { totalOf } from '#game/credit.ts'
import { assert } from '#server/platform/assert.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { StartProblem } from '#server/platform/start-problem.ts'
import { refundWithdrawal } from '#server/withdrawals/close-withdrawal.ts'
import type { WithdrawalState } from '#server/withdrawals/read-withdrawals.ts'
import { exactly } from './amounts.ts'
import type { Command } from './desk.ts'
import { findWithdrawal, STANDS } from './find-withdrawal.ts'
import { actLogged } from './operator-log.ts'
import { required } from './read-arguments.ts'

// Nothing was signed for these. What is signed may land whatever the books say.
const UNSIGNED = new Set<WithdrawalState>(['requested', 'review', 'approved'])

const LONGEST_REASON = 300

export const reject: Command = {
  usage: '<id> --by <name> --reason <words for the player>',
  does: 'gives a withdrawal that is not signed yet back to its player, who reads the reason',
  words: 1,
  options: ['by', 'reason'],
  run(desk, given) {
    const id = given.words[0]!
    const reason = required(given, 'reason')
    if (reason.length > LONGEST_REASON) {
      throw new StartProblem(`--reason is read by the player: at most ${LONGEST_REASON} letters.`)
    }
    return actLogged(desk, { command: 'reject', arguments: { id }, given }, (tx, { now }) =>
      rejectOne(tx, { id, reason, now }),
    )
  },
}

async function rejectOne(
  tx: Tx,
  { id, reason, now }: { id: string; reason: string; now: Date },
): Promise<string> {
  const withdrawal = await findWithdrawal(tx, id)
  const { state, wallet, deposited, earned } = withdrawal
  if (!UNSIGNED.has(state))
    throw new StartProblem(`Withdrawal ${id} ${STANDS[state]}: it cannot be rejected.`)
  assert(await refundWithdrawal(tx, { id, wallet, now, reason }), 'what is locked and open can be refunded')
  return `Rejected: ${exactly(totalOf(withdrawal))} $COTTON are back with ${wallet} (deposited ${exactly(deposited)}, earned ${exactly(earned)}).`
}
