import { readFreeze } from '#server/freeze/freeze-wallet.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import type { Command } from './command.ts'
import { required } from './read-arguments.ts'
import { runAct, SIGNING_OPTIONS, SIGNING_USAGE } from './sign-act.ts'

export const unfreeze: Command = {
  usage: `<wallet> --reason <text> ${SIGNING_USAGE}`,
  description: 'lets a frozen wallet move value again, by the signature of an operator',
  positionals: 1,
  options: ['reason', ...SIGNING_OPTIONS],
  async run(context, given) {
    const [wallet] = given.positionals as [string]
    const reason = required(given, 'reason')
    const freeze = await readFreeze(context.db, wallet)
    if (!freeze) throw new StartupError(`The wallet ${wallet} is not frozen.`)
    return runAct(context, given, { kind: 'unfreeze', freezeId: freeze.id, wallet, reason })
  },
}
