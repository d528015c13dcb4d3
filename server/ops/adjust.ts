import { CLASSES, type CreditClass } from '#game/credit.ts'
import { toDecimal } from '#game/cotton.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import type { Command } from './command.ts'
import { parseSignedAmount } from './parse-signed-amount.ts'
import { required } from './read-arguments.ts'
import { runAct, SIGNING_OPTIONS, SIGNING_USAGE } from './sign-act.ts'

export const adjust: Command = {
  usage: `<wallet> <amount> --class deposited|earned --reason <text for the player> ${SIGNING_USAGE}`,
  description:
    'adds credit to a wallet, or removes it (-5). Deposited credit comes from the pool; earned credit is created, as by a claim',
  positionals: 2,
  options: ['class', 'reason', ...SIGNING_OPTIONS],
  run(context, given) {
    const [wallet, text] = given.positionals as [string, string]
    const creditClass = classOf(required(given, 'class'))
    const reason = required(given, 'reason')
    return runAct(context, given, { kind: 'adjust', creditClass, wallet, amount: amountOf(text), reason })
  },
}

function classOf(text: string): CreditClass {
  const found = CLASSES.find((name) => name === text)
  if (!found) throw new StartupError(`--class must be ${CLASSES.join(' or ')}, not "${text}".`)
  return found
}

function amountOf(text: string): string {
  const amount = parseSignedAmount(text)
  if (!amount)
    throw new StartupError(`"${text}" is not a valid amount: use at most six decimals, for example -12.5.`)
  return toDecimal(amount)
}
