import { checkBalances } from './check-balances.ts'
import { checkLand } from './check-land.ts'
import { checkStored } from './check-stored.ts'
import { type HistoryEvent, readHistory, type Segment, splitHistory } from './history.ts'
import { groupOperations } from './operations.ts'
import { resolveUnknown } from './resolve-unknown.ts'

/** How long after it was made an attempt without an answer may take effect. */
const LATE_MS = 60_000

export type Verdict = {
  /** Operations that were acknowledged, and those without a known outcome. */
  acknowledged: number
  unknown: number
  /** What is wrong, in sentences. */
  faults: string[]
}

/** Checks a history with states. It knows no more of the game than `README.md` says. */
export function checkHistory(events: readonly HistoryEvent[], lateMs = LATE_MS): Verdict {
  const verdicts = splitHistory(events, lateMs).map((segment) => checkSegment(segment, lateMs))
  if (verdicts.length === 0)
    return { acknowledged: 0, unknown: 0, faults: ['The history has no two states.'] }
  return {
    acknowledged: verdicts.reduce((sum, { acknowledged }) => sum + acknowledged, 0),
    unknown: verdicts.reduce((sum, { unknown }) => sum + unknown, 0),
    faults: verdicts.flatMap(({ faults }) => faults),
  }
}

export function checkSegment({ before, events, after }: Segment, lateMs = LATE_MS): Verdict {
  const { operations, faults } = groupOperations(events, { earliest: before.at, lateMs })
  const happened = resolveUnknown({ before, after }, operations)
  const acknowledged = operations.filter(({ reply, key }) => reply !== null && key !== null).length
  return {
    acknowledged,
    unknown: operations.filter(({ reply }) => reply === null).length,
    faults: [
      ...faults,
      ...checkStored({ before, after }, operations),
      ...checkLand({ before, after }, happened),
      ...checkBalances({ before, after }, happened),
    ],
  }
}

if (import.meta.main) {
  const [path] = process.argv.slice(2)
  if (!path) {
    process.stderr.write('node tests/histories/check-history.ts <history.jsonl>\n')
    process.exit(2)
  }
  const { acknowledged, unknown, faults } = checkHistory(readHistory(path))
  for (const fault of faults) process.stdout.write(`${fault}\n`)
  process.stdout.write(`${acknowledged} acknowledged, ${unknown} unknown, ${faults.length} faults.\n`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
