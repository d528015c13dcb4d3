import { Coverage } from './coverage.ts'
import { findWrongReasons, formatCoverageTable } from './coverage-table.ts'
import { chooseSeeds } from './choose-seeds.ts'
import { findMissingCoverage } from './find-missing-coverage.ts'
import { mutants } from './mutants.ts'
import type { Options } from './options.ts'
import type { Outcome } from './run-world.ts'

const SHOWN_STEPS = 150

/** The result of a run, of one process or of several. */
export type Report = {
  seeds: number
  steps: number
  /** The seeds that violated an invariant. */
  broken: number[]
  /** The mutants that were found, each with the number of seeds that it took. */
  found: [name: string, seeds: number][]
  /** The mutants that were not found. */
  survived: string[]
  counts: Coverage['counts']
  /** With `exercised` and without `covered`, the counts of each world by itself. */
  worlds: { seed: number; counts: Coverage['counts'] }[]
}

export const EMPTY_REPORT: Report = {
  seeds: 0,
  steps: 0,
  broken: [],
  found: [],
  survived: [],
  counts: [],
  worlds: [],
}

/** Merges the reports of several processes. */
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
    worlds: reports.flatMap((each) => each.worlds),
  }
}

/**
 * Prints the report. Returns false if an invariant was violated, no test finds a mutant, something never happened, or a
 * fault met a state that it is said never to meet.
 */
export function printReport(report: Report, options: Options): boolean {
  if (options.mutants.length > 0) return printMutantReport(report)
  const { seeds, steps, broken } = report
  const coverage = new Coverage()
  coverage.add(report.counts)
  printCoverage(coverage)
  const missing = options.exercised ? findMissingCoverage(coverage, options) : []
  if (report.worlds.length > 0 && missing.length === 0)
    printLine(`These seeds suffice: ${chooseSeeds(report.worlds).join()}`)
  if (options.covered) for (const line of formatCoverageTable(coverage)) printLine(line)
  for (const each of missing) printLine(`Never happened: ${each}`)
  const wrong = options.covered ? findWrongReasons(coverage) : []
  for (const { fault, state } of wrong)
    printLine(`Listed as impossible, but happened: ${fault} while ${state}`)
  const violations = broken.length === 0 ? 'no violation' : `violations in ${broken.join(', ')}`
  const others = options.also.length > 0 ? ` with ${options.also.join(', ')}` : ''
  printLine(`${seeds} seeds from ${options.seed}${others}, ${steps} steps, ${violations}`)
  if (options.twice && broken.length === 0) printLine(`${seeds} seeds had the same history twice`)
  return broken.length === 0 && missing.length === 0 && wrong.length === 0
}

function printMutantReport({ found, survived }: Report): boolean {
  for (const [name, seeds] of found) printLine(`found after ${seeds}: ${name}`)
  const unitTestsOf = (name: string): string | undefined =>
    mutants.find((each) => each.name === name)?.foundBy?.join(' and ')
  for (const name of survived)
    printLine(`not found: ${name}${unitTestsOf(name) ? `, which ${unitTestsOf(name)} finds` : ''}`)
  return survived.every(unitTestsOf)
}

export function printViolation({ seed, hash, trace, violation }: Outcome): void {
  for (const line of trace.slice(-SHOWN_STEPS)) printLine(line)
  printLine(`\nSeed ${seed} (${hash}) violates an invariant. ${violation!.message}`)
  printLine(`To repeat it with all steps: npm run test:simulation -- --seeds 1 --seed ${seed} --trace`)
}

function printCoverage(coverage: Coverage): void {
  for (const heading of ['action', 'refused', 'given up', 'done', 'fault', 'forged', 'up', 'crash']) {
    const counts = [...coverage.countsUnder(heading)].map(([what, times]) => `${what} ${times}`)
    printLine(`${heading}: ${counts.join(', ')}`)
  }
  printLine(`${coverage.countsUnder('crash').size} points at which a process died`)
}

export const formatElapsed = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`

export function printLine(sentence: string): void {
  process.stdout.write(`${sentence}\n`)
}
