import { Coverage } from './coverage.ts'
import { findMissingCoverage } from './find-missing-coverage.ts'
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
  survived: string[]
  counts: Coverage['counts']
}

export const EMPTY_REPORT: Report = { seeds: 0, steps: 0, broken: [], found: [], survived: [], counts: [] }

/** Several processes' reports as one. */
export function mergeReports(reports: readonly Report[]): Report {
  const coverage = new Coverage()
  for (const { counts } of reports) coverage.add(counts)
  const sum = (of: (report: Report) => number): number => reports.reduce((total, each) => total + of(each), 0)
  return {
    seeds: sum((each) => each.seeds),
    steps: sum((each) => each.steps),
    broken: reports.flatMap((each) => each.broken).toSorted((a, b) => a - b),
    found: reports.flatMap((each) => each.found).toSorted(),
    survived: reports.flatMap((each) => each.survived).toSorted(),
    counts: coverage.counts,
  }
}

/** Tells what the whole run has come to; false where a law was broken, a mutant got through, or too little happened. */
export function printReport(report: Report, options: Options): boolean {
  if (options.mutants.length > 0) return printMutantReport(report)
  const { seeds, steps, broken } = report
  const coverage = new Coverage()
  coverage.add(report.counts)
  printCoverage(coverage)
  const missing = options.covered ? findMissingCoverage(coverage) : []
  for (const each of missing) printLine(`Never happened: ${each}`)
  const violations = broken.length === 0 ? 'no violation' : `violations in ${broken.join(', ')}`
  printLine(`${seeds} seeds from ${options.seed}, ${steps} steps, ${violations}`)
  if (options.twice) printLine(`${seeds} seeds went the same way twice`)
  return broken.length === 0 && missing.length === 0
}

function printMutantReport({ found, survived }: Report): boolean {
  for (const [name, seeds] of found) printLine(`found after ${seeds}: ${name}`)
  for (const name of survived) printLine(`not found: ${name}`)
  return survived.length === 0
}

export function printViolation({ seed, hash, trace, violation }: Outcome): void {
  for (const line of trace.slice(-SHOWN_STEPS)) printLine(line)
  printLine(`\nSeed ${seed} (${hash}) breaks a law. ${violation!.message}`)
  printLine(`Again, with all its steps: npm run test:simulation -- --seeds 1 --seed ${seed} --trace`)
}

function printCoverage(coverage: Coverage): void {
  for (const heading of ['action', 'refused', 'given up', 'done', 'fault', 'met', 'up', 'crash']) {
    const counts = [...coverage.countsUnder(heading)].map(([what, times]) => `${what} ${times}`)
    printLine(`${heading}: ${counts.join(', ')}`)
  }
  printLine(`${coverage.countsUnder('crash').size} points at which a process died`)
}

export const formatElapsed = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`

export function printLine(sentence: string): void {
  process.stdout.write(`${sentence}\n`)
}
