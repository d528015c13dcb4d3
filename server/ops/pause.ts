import { StartupError } from '#server/platform/startup-error.ts'
import { pauseUnlessPaused, readPause } from '#server/withdrawals/withdrawal-pause.ts'
import type { Arguments, Command } from './command.ts'
import { describeUnowed } from './describe-unowed.ts'
import { runLogged } from './operator-log.ts'
import { required } from './read-arguments.ts'
import { runAct, SIGNING_OPTIONS, SIGNING_USAGE } from './sign-act.ts'

export const pause: Command = {
  usage: 'withdrawals --by <name> --reason <text>',
  description:
    'stops new withdrawal requests and new signatures. Payouts that are already signed still land. Players read the reason',
  positionals: 1,
  options: ['by', 'reason'],
  run(context, given) {
    const what = requirePausable(given)
    const why = required(given, 'reason')
    const logged = { command: 'pause', arguments: { what }, given, stops: true }
    return runLogged(context, logged, async (tx, { now }) => {
      const before = await pauseUnlessPaused(tx, { why, now })
      if (before) {
        const { since } = before
        throw new StartupError(`Withdrawals are already paused since ${since.toISOString()}: ${before.why}`)
      }
      return 'Withdrawals are paused.'
    })
  },
}

export const resume: Command = {
  usage: `withdrawals --reason <text> ${SIGNING_USAGE}`,
  description: 'resumes withdrawals by the signature of an operator',
  positionals: 1,
  options: ['reason', ...SIGNING_OPTIONS],
  async run(context, given) {
    requirePausable(given)
    const reason = required(given, 'reason')
    const { db, say, warn = say } = context
    const paused = await readPause(db)
    if (!paused) throw new StartupError('Withdrawals are not paused.')
    const unowed = await describeUnowed(db)
    if (unowed !== null)
      warn(`WARNING: The books do not owe payouts on the chain, and may pay the credit again: ${unowed}.`)
    return runAct(context, given, { kind: 'resume', pauseId: paused.id, reason })
  },
}

function requirePausable({ positionals: [what] }: Arguments): 'withdrawals' {
  if (what !== 'withdrawals') throw new StartupError(`Only withdrawals can be paused, not "${what}".`)
  return what
}
