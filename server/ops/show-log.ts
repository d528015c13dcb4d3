import { StartProblem } from '#server/platform/start-problem.ts'
import type { Command } from './desk.ts'
import { readLog } from './operator-log.ts'

const LAST = 20
const MOST = 10_000

export const showLog: Command = {
  usage: '[--last <number>]',
  does: 'shows what operators did or were refused, newest last',
  words: 0,
  options: ['last'],
  async run({ db, say }, { options }) {
    const last = Number(options.last ?? LAST)
    if (!Number.isInteger(last) || last < 1 || last > MOST) {
      throw new StartProblem(`--last is a whole number from 1 to ${MOST}.`)
    }
    const lines = await readLog(db, last)
    if (lines.length === 0) say('Nothing yet.')
    for (const line of lines) {
      const named = Object.values(line.arguments).join(' ')
      const reason = line.reason === null ? '' : ` — ${line.reason}`
      say(`#${line.id}  ${line.at.toISOString()}  ${line.who}: ${line.command} ${named}${reason}`)
      say(`    ${line.outcome}`)
    }
  },
}
