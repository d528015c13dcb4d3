import { Coverage } from './coverage.ts'
import type { SimulationEnvironment } from './simulation-environment.ts'
import { loadProduct, UNMUTATED } from './load-product.ts'
import { mutants as allMutants } from './mutants.ts'
import { findMissingCoverage } from './find-missing-coverage.ts'
import type { Options } from './options.ts'
import { EMPTY_REPORT, type Report, printLine, formatElapsed, printViolation } from './report.ts'
import { type Outcome, runWorld } from './run-world.ts'

/** Runs worlds with the unmutated product, up to the first violation, or all of them with `onward`. */
export async function runSeeds(environment: SimulationEnvironment, options: Options): Promise<Report> {
  const { trace, twice, onward } = options
  const seeds = [...Array.from({ length: options.seeds }, (_, at) => options.seed + at), ...options.also]
  const coverage = new Coverage()
  const product = await loadProduct(UNMUTATED)
  const startedAt = performance.now()
  const report = { ...EMPTY_REPORT, broken: [] as number[], worlds: [] as Report['worlds'] }
  let missing = findMissingCoverage(coverage, options)
  for (const [at, seed] of seeds.entries()) {
    if (report.broken.length > 0 && !onward) break
    const own = new Coverage()
    const run = (): Promise<Outcome> => runWorld({ seed, environment, product, coverage: own })
    const outcome = await run()
    report.seeds++
    report.steps += outcome.steps
    if (trace) for (const line of outcome.trace) printLine(line)
    if (trace) printLine(`seed ${outcome.seed} is ${outcome.hash}`)
    if (outcome.violation !== null) printViolation(outcome)
    const again = twice ? await run() : outcome
    if (again.hash !== outcome.hash)
      printLine(`Seed ${outcome.seed} had two histories: ${findFirstDifference(outcome, again)}`)
    if (outcome.violation !== null || again.hash !== outcome.hash) report.broken.push(outcome.seed)
    if ((at + 1) % 25 === 0 && at + 1 < seeds.length)
      printLine(`${at + 1} of ${seeds.length} seeds, ${formatElapsed(startedAt)}`)
    coverage.add(own.counts)
    if (options.exercised && !options.covered) report.worlds.push({ seed, counts: own.counts })
    const stillMissing = findMissingCoverage(coverage, options)
    const met = missing.filter((each) => !stillMissing.includes(each))
    if (options.exercised && met.length > 0) printLine(`Seed ${seed} is the first of: ${met.join(', ')}`)
    missing = stillMissing
  }
  return { ...report, counts: coverage.counts }
}

/** Runs each mutant until it is found, with at most this many seeds. */
export async function huntMutants(
  environment: SimulationEnvironment,
  { seeds, seed, mutants, trace }: Options,
): Promise<Report> {
  const report = { ...EMPTY_REPORT, found: [] as Report['found'], survived: [] as string[] }
  for (const [at, name] of mutants.entries()) {
    const startedAt = performance.now()
    const product = await loadProduct(name)
    // The text of a prepared statement cannot change, so each mutant gets its own statement names.
    environment.database.edition = `${at} `
    const triggers = allMutants.find((each) => each.name === name)?.disabledTriggers ?? []
    for (const each of triggers) await environment.database.setTrigger(each, 'disable')
    let found: Outcome | null = null
    let ran = 0
    for (; ran < seeds && found === null; ran++) {
      const outcome = await runWorld({ seed: seed + ran, environment, product, coverage: new Coverage() })
      if (outcome.violation !== null) found = outcome
    }
    for (const each of triggers) await environment.database.setTrigger(each, 'enable')
    if (found === null) report.survived.push(name)
    else report.found.push([name, ran])
    if (trace && found !== null) for (const line of found.trace) printLine(line)
    const how = found ? `after ${ran} seeds: ${found.violation!.message}` : `not in ${seeds} seeds`
    printLine(`${name}: ${how}, ${formatElapsed(startedAt)}`)
  }
  return report
}

function findFirstDifference(one: Outcome, other: Outcome): string {
  const at = one.trace.findIndex((line, place) => line !== other.trace[place])
  return `"${one.trace[at]}" and "${other.trace[at]}" after ${one.trace.slice(Math.max(0, at - 8), at).join(', ')}`
}
