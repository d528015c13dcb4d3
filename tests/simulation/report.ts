import { Coverage } from './coverage.ts'
import { missingFrom } from './demand.ts'
import type { Options } from './options.ts'
import type { Outcome } from './run-world.ts'

const SHOWN_STEPS = 150

/** What a run has come to, of one process or of several. */
export type Report = {
  seeds: number
  steps: number
  /** The seeds that broke a law. */
  broken: number[]
  /** The mutants that were found, and after how many seeds. */
  found: [name: string, seeds: number][]
  /** The mutants that got through. */
  through: string[]
  counts: Coverage['counts']
}

export const NOTHING: Report = { seeds: 0, steps: 0, broken: [], found: [], through: [], counts: [] }

/** Several processes' reports as one. */
export function together(reports: readonly Report[]): Report {
  const coverage = new Coverage()
  for (const { counts } of reports) coverage.add(counts)
  const sum = (of: (report: Report) => number): number => reports.reduce((total, each) => total + of(each), 0)
  return {
    seeds: sum((each) => each.seeds),
    steps: sum((each) => each.steps),
    broken: reports.flatMap((each) => each.broken).toSorted((a, b) => a - b),
    found: reports.flatMap((each) => each.found).toSorted(),
    through: reports.flatMap((each) => each.through).toSorted(),
    counts: coverage.counts,
  }
}

/** Tells what the whole run has come to; false where a law was broken, a mutant got through, or too little happened. */
export function conclude(report: Report, options: Options): boolean {
  if (options.mutants.length > 0) return concludeHunt(report)
  const { seeds, steps, broken } = report
  const coverage = new Coverage()
  coverage.add(report.counts)
  tellCoverage(coverage)
  const missing = options.covered ? missingFrom(coverage) : []
  for (const each of missing) say(`Never happened: ${each}`)
  const violations = broken.length === 0 ? 'no violation' : `violations in ${broken.join(', ')}`
  say(`${seeds} seeds from ${options.seed}, ${steps} steps, ${violations}`)
  if (options.twice) say(`${seeds} seeds went the same way twice`)
  return broken.length === 0 && missing.length === 0
}

function concludeHunt({ found, through }: Report): boolean {
  for (const [name, seeds] of found) say(`found after ${seeds}: ${name}`)
  for (const name of through) say(`not found: ${name}`)
  return through.length === 0
}

export function tellViolation({ seed, hash, trace, violation }: Outcome): void {
  for (const line of trace.slice(-SHOWN_STEPS)) say(line)
  say(`\nSeed ${seed} (${hash}) breaks a law. ${violation!.message}`)
  say(`Again, with all its steps: npm run simulate -- --seeds 1 --seed ${seed} --trace`)
}

function tellCoverage(coverage: Coverage): void {
  for (const heading of ['deed', 'refused', 'given up', 'done', 'fault', 'met', 'up', 'crash']) {
    const counts = [...coverage.under(heading)].map(([what, times]) => `${what} ${times}`)
    say(`${heading}: ${counts.join(', ')}`)
  }
  say(`${coverage.under('crash').size} points at which a process died`)
}

export const since = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`

export function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`)
}
