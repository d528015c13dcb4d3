import { toDecimal } from '#game/cotton.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import type { Command } from './command.ts'
import { parseSignedAmount } from './parse-signed-amount.ts'
import { required } from './read-arguments.ts'
import { runAct, SIGNING_OPTIONS, SIGNING_USAGE } from './sign-act.ts'

export const fund: Command = {
  usage: `<amount> --reason <text> ${SIGNING_USAGE}`,
  description: 'adds tokens in the treasury that are not owed to anybody to the reward pool',
  positionals: 1,
  options: ['reason', ...SIGNING_OPTIONS],
  run(context, given) {
    const [text] = given.positionals as [string]
    const reason = required(given, 'reason')
    return runAct(context, given, { kind: 'fund', amount: amountOf(text), reason })
  },
}

function amountOf(text: string): string {
  const amount = parseSignedAmount(text)
  if (!amount || amount < 0n) {
    throw new StartupError(
      `"${text}" is not a valid amount: use a positive one of at most six decimals, for example 1250.5.`,
    )
  }
  return toDecimal(amount)
}
