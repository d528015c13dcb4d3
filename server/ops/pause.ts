import { StartProblem } from '#server/platform/start-problem.ts'
import { pauseWithdrawals, readPause, resumeWithdrawals } from '#server/withdrawals/withdrawal-switch.ts'
import type { Command } from './desk.ts'
import { actLogged } from './operator-log.ts'
import { type Arguments, required } from './read-arguments.ts'

export const pause: Command = {
  usage: 'withdrawals --by <name> --reason <text>',
  does: 'stops new withdrawal requests and new signatures. Payouts that are already signed still land. Players read the reason',
  words: 1,
  options: ['by', 'reason'],
  run(desk, given) {
    const what = pausable(given)
    const why = required(given, 'reason')
    return actLogged(desk, { command: 'pause', arguments: { what }, given }, async (tx, { now }) => {
      const before = await readPause(tx)
      if (before) {
        const { since } = before
        throw new StartProblem(`Withdrawals are paused already, since ${since.toISOString()}: ${before.why}`)
      }
      await pauseWithdrawals(tx, { why, now })
      return 'Withdrawals are paused.'
    })
  },
}

export const resume: Command = {
  usage: 'withdrawals --by <name> [--reason <text>]',
  does: 'resumes withdrawals',
  words: 1,
  options: ['by', 'reason'],
  run(desk, given) {
    const what = pausable(given)
    return actLogged(desk, { command: 'resume', arguments: { what }, given }, async (tx) => {
      const before = await readPause(tx)
      if (!before) throw new StartProblem('Withdrawals are not paused.')
      await resumeWithdrawals(tx)
      return `Withdrawals go out again. They were paused since ${before.since.toISOString()}: ${before.why}`
    })
  },
}

function pausable({ words: [what] }: Arguments): 'withdrawals' {
  if (what !== 'withdrawals') throw new StartProblem(`Only withdrawals can be paused, not "${what}".`)
  return what
}
