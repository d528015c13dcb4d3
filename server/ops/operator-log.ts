import { LONGEST_REASON } from '#contract/console/acts.ts'
import {
  LOG_COLUMNS,
  type LoggedLine,
  lockOperators,
  writeOperatorLog,
} from '#server/operators/operator-log.ts'
import { type Queryable, rowOf, sql, type Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import type { Arguments, CommandContext } from './command.ts'

const readNewest = sql({
  name: 'operator-read-log',
  params: { limit: 'integer' },
  row: rowOf<LoggedLine>(),
  text: ({ limit }) => `select ${LOG_COLUMNS} from operator_log order by id desc limit ${limit}`,
})

type LoggedCommand = {
  command: string
  arguments: Record<string, string>
  given: Arguments
  /** True for what only stops something. It waits for no other operator: any login can take their lock for ever. */
  stops?: boolean
}
type OperatorAction = { who: string; now: Date; reason: string | null }

/**
 * Runs an operator's action and logs it in the same transaction. `work` returns the outcome as a sentence. A refusal
 * changes nothing and is logged, too.
 */
export async function runLogged(
  { db, clock, say }: CommandContext,
  { command, arguments: named, given, stops = false }: LoggedCommand,
  work: (tx: Tx, action: OperatorAction) => Promise<string>,
): Promise<void> {
  const who = operatorOf(given)
  const now = clock.now()
  const reason = reasonOf(given)
  const log = (on: Queryable, outcome: string) =>
    writeOperatorLog(on, { now, who, command, arguments: named, reason, outcome })
  try {
    const outcome = await db.transaction(async (tx) => {
      if (!stops) await lockOperators(tx)
      const did = await work(tx, { who, now, reason })
      await log(tx, did)
      return did
    })
    say(outcome)
  } catch (error) {
    if (error instanceof StartupError) await log(db, `Refused: ${error.message}`)
    throw error
  }
}

/** The newest lines of the log, oldest first. */
export async function readLog(db: Queryable, last: number): Promise<LoggedLine[]> {
  return (await db.rows(readNewest, { limit: last })).toReversed()
}

/** The operator's name in lower case and without spaces around it, so that Ana and ana are one person. */
export function operatorOf({ options }: Arguments): string {
  const name = (options.by ?? process.env.USER ?? '').trim().toLowerCase()
  if (name === '') throw new StartupError('--by is missing: give your name.')
  if (name.length > 100) throw new StartupError('--by must have at most 100 characters.')
  return name
}

function reasonOf({ options }: Arguments): string | null {
  const reason = options.reason ?? null
  if (reason !== null && reason.length > LONGEST_REASON)
    throw new StartupError(`--reason must have at most ${LONGEST_REASON} characters: players read it.`)
  return reason
}
