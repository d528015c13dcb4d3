import { BACKUP_USAGE } from '#server/ops/backup-usage.ts'
import type { Arguments } from '#server/ops/command.ts'
import { readArguments } from '#server/ops/read-arguments.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { escapeLine } from '#server/platform/escape-controls.ts'
import { type FolderContext, runBackup } from './backup-command.ts'
import { runDrill } from './drill-command.ts'
import { runRestore } from './restore-command.ts'

type Run = (context: FolderContext, given: Arguments) => Promise<void>

const COMMANDS = { backup: runBackup, restore: runRestore, drill: runDrill } satisfies Record<string, Run>

/** SIGHUP: the terminal was closed, or its connection has broken. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A line of progress at most this often. */
const PROGRESS_MS = 2_000

/** Runs `ops backup`, `ops restore` or `ops drill`. Progress goes to stderr, so that the result can be piped. */
export async function runBackupCommand(
  name: keyof typeof COMMANDS,
  args: readonly string[],
  config: Config,
): Promise<void> {
  const given = readArguments(args, BACKUP_USAGE[name])
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  // A stop comes twice: npm passes on a Ctrl-C that its command has had, and shell and system both end what a terminal ran. The
  // second one must not end the process while it removes what the work has left.
  for (const signal of STOP_SIGNALS) process.on(signal, stop)
  await COMMANDS[name](
    {
      config,
      clock: systemClock,
      say: (line) => void process.stdout.write(`${escapeLine(line)}\n`),
      onProgress: limitRate((sentence) => void process.stderr.write(`${escapeLine(sentence)}\n`)),
      signal: stopping.signal,
    },
    given,
  )
  for (const signal of STOP_SIGNALS) process.off(signal, stop)
}

function limitRate(print: (sentence: string) => void): (sentence: string) => void {
  let last = -Infinity
  return (sentence) => {
    if (performance.now() - last < PROGRESS_MS) return
    last = performance.now()
    print(sentence)
  }
}
