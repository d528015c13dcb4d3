import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { startTestPostgres } from '#tests/support/test-postgres.ts'
import { addRegressions } from './regressions.ts'
import { printLine } from './report.ts'
import { runInProcesses } from './run-in-processes.ts'

const USAGE = `npm run search -- --hours N [--jobs J]

  --hours N  how long to simulate new worlds, above 0 and at most 1000; fractions are allowed
  --jobs J   in how many processes, 1 to 64 (2)

The first seed is random. A seed that violates an invariant is added to tests/simulation/regressions.json, and the search
goes on. Commit that file with the fix: \`npm test\` repeats its seeds. The exit code is 1 if a seed was added.`

/** Each batch starts new processes, which takes seconds. The time is checked between batches, which take minutes. */
const SEEDS_AT_ONCE = 1_000
/** Smaller seeds are left to those that people choose. */
const FIRST_SEED = 2 ** 20
const LAST_SEED = 2 ** 32 - SEEDS_AT_ONCE

function readOptions(): { hours: number; jobs: number } | null {
  try {
    const { values } = parseArgs({ options: { hours: { type: 'string' }, jobs: { type: 'string' } } })
    const [hours, jobs] = [Number(values.hours), Number(values.jobs ?? 2)]
    return hours > 0 && hours <= 1_000 && Number.isInteger(jobs) && jobs >= 1 && jobs <= 64
      ? { hours, jobs }
      : null
  } catch {
    return null
  }
}

/** Simulates new worlds until the time is over. Returns the seeds that violated an invariant. */
async function search({ hours, jobs }: { hours: number; jobs: number }): Promise<number[]> {
  const until = performance.now() + hours * 3_600_000
  const broken: number[] = []
  let seed = randomInt(FIRST_SEED, 2 ** 31)
  let worlds = 0
  for (; performance.now() < until && seed <= LAST_SEED; seed += SEEDS_AT_ONCE) {
    const report = await runInProcesses({
      seeds: SEEDS_AT_ONCE,
      seed,
      also: [],
      mutants: [],
      trace: false,
      exercised: false,
      covered: false,
      twice: false,
      onward: true,
      jobs,
    })
    worlds += report.seeds
    broken.push(...report.broken)
    if (report.broken.length > 0) addRegressions(report.broken)
    printLine(
      `${worlds} worlds, the last of them seed ${seed + SEEDS_AT_ONCE - 1}; ${broken.length} violations.`,
    )
  }
  return broken
}

const options = readOptions()
if (options === null) {
  process.stderr.write(`${USAGE}\n`)
  process.exitCode = 2
} else {
  const postgres = await startTestPostgres()
  try {
    const broken = await search(options)
    if (broken.length > 0) process.exitCode = 1
  } finally {
    await postgres.stop()
  }
}
