import { Coverage } from './coverage.ts'
import type { Ground } from './ground.ts'
import { loadProduct, SOUND } from './load-product.ts'
import type { Options } from './options.ts'
import { NOTHING, type Report, say, since, tellViolation } from './report.ts'
import { type Outcome, runWorld } from './run-world.ts'

/** Runs the worlds of the product as it is, up to the first that breaks a law, or all of them. */
export async function runSeeds(ground: Ground, options: Options): Promise<Report> {
  const { seeds, seed, trace, twice, onward } = options
  const coverage = new Coverage()
  const product = await loadProduct(SOUND)
  const startedAt = performance.now()
  const report = { ...NOTHING, broken: [] as number[] }
  for (let at = 0; at < seeds; at++) {
    if (report.broken.length > 0 && !onward) break
    const run = (): Promise<Outcome> => runWorld({ seed: seed + at, ground, product, coverage })
    const outcome = await run()
    report.seeds++
    report.steps += outcome.steps
    if (trace) for (const line of outcome.trace) say(line)
    if (trace) say(`seed ${outcome.seed} is ${outcome.hash}`)
    if (outcome.violation !== null) tellViolation(outcome)
    const again = twice ? await run() : outcome
    if (again.hash !== outcome.hash)
      say(`Seed ${outcome.seed} went two ways: ${firstDifference(outcome, again)}`)
    if (outcome.violation !== null || again.hash !== outcome.hash) report.broken.push(outcome.seed)
    if ((at + 1) % 25 === 0 && at + 1 < seeds) say(`${at + 1} of ${seeds} seeds, ${since(startedAt)}`)
  }
  return { ...report, counts: coverage.counts }
}

/** Lets each mutant run until it is found; it has so many seeds to get through. */
export async function hunt(ground: Ground, { seeds, seed, mutants, trace }: Options): Promise<Report> {
  const report = { ...NOTHING, found: [] as Report['found'], through: [] as string[] }
  for (const [at, name] of mutants.entries()) {
    const startedAt = performance.now()
    const product = await loadProduct(name)
    // A prepared statement has one text for ever.
    ground.database.edition = `${at} `
    let found: Outcome | null = null
    let ran = 0
    for (; ran < seeds && found === null; ran++) {
      const outcome = await runWorld({ seed: seed + ran, ground, product, coverage: new Coverage() })
      if (outcome.violation !== null) found = outcome
    }
    if (found === null) report.through.push(name)
    else report.found.push([name, ran])
    if (trace && found !== null) for (const line of found.trace) say(line)
    const how = found ? `after ${ran} seeds: ${found.violation!.message}` : `not in ${seeds} seeds`
    say(`${name}: ${how}, ${since(startedAt)}`)
  }
  return report
}

function firstDifference(one: Outcome, other: Outcome): string {
  const at = one.trace.findIndex((line, place) => line !== other.trace[place])
  return `"${one.trace[at]}" and "${other.trace[at]}" after ${one.trace.slice(Math.max(0, at - 8), at).join(', ')}`
}
