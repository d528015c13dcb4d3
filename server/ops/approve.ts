import { totalOf } from '#game/credit.ts'
import { toDecimal } from '#game/cotton.ts'
import type { Command } from './command.ts'
import { readWithdrawal } from './read-withdrawal.ts'
import { runAct, SIGNING_OPTIONS, SIGNING_USAGE } from './sign-act.ts'

export const approve: Command = {
  usage: `<id> ${SIGNING_USAGE}`,
  description:
    "approves a withdrawal in review by the signature of an operator. Above `secondAbove` of the operators' file a second operator must approve it too",
  positionals: 1,
  options: SIGNING_OPTIONS,
  async run(context, given) {
    const withdrawal = await readWithdrawal(context.db, given.positionals[0]!)
    const { id, wallet } = withdrawal
    const amount = toDecimal(totalOf(withdrawal))
    await runAct(context, given, { kind: 'approve', withdrawalId: id, wallet, amount })
  },
}
