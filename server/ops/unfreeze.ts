import type { Command } from './command.ts'
import { required } from './read-arguments.ts'
import { runAct, SIGNING_OPTIONS, SIGNING_USAGE } from './sign-act.ts'

export const unfreeze: Command = {
  usage: `<wallet> --reason <text> ${SIGNING_USAGE}`,
  description: 'lets a frozen wallet move value again, by the signature of an operator',
  positionals: 1,
  options: ['reason', ...SIGNING_OPTIONS],
  run(context, given) {
    const [wallet] = given.positionals as [string]
    return runAct(context, given, { kind: 'unfreeze', wallet, reason: required(given, 'reason') })
  },
}
