import { StartupError } from '#server/platform/startup-error.ts'
import type { Command } from './command.ts'
import { readLog } from './operator-log.ts'

const DEFAULT_SHOWN = 20
const MAX_SHOWN = 10_000

export const showLog: Command = {
  usage: '[--last <number>]',
  description: 'shows what operators did or were refused, newest last',
  positionals: 0,
  options: ['last'],
  async run({ db, say }, { options }) {
    const last = Number(options.last ?? DEFAULT_SHOWN)
    if (!Number.isInteger(last) || last < 1 || last > MAX_SHOWN) {
      throw new StartupError(`--last must be a whole number from 1 to ${MAX_SHOWN}.`)
    }
    const lines = await readLog(db, last)
    if (lines.length === 0) say('The log is empty.')
    for (const line of lines) {
      const values = Object.values(line.arguments).join(' ')
      const reason = line.reason === null ? '' : ` — ${line.reason}`
      const from = `#${line.id}  ${line.at.toISOString()}  ${line.login ?? '-'}`
      say(`${from}  ${line.who}: ${line.command} ${values}${reason}`)
      say(`    ${line.outcome}`)
    }
  },
}
