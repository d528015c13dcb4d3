import { startTestPostgres } from '#tests/support/test-postgres.ts'
import { takeOverAmbient } from './ambient.ts'
import { Coverage } from './coverage.ts'
import { missingFrom } from './demand.ts'
import { type Ground, prepareGround } from './ground.ts'
import { brokenEdits, loadProduct, registerEditions, SOUND } from './load-product.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { type Outcome, runWorld } from './run-world.ts'

const SHOWN_STEPS = 150

/** Runs what was asked for; false where a law was broken, or a mutant got through. */
async function simulate(options: Options): Promise<boolean> {
  const broken = brokenEdits()
  for (const each of broken) say(`An edit fits no more: ${each}`)
  if (broken.length > 0) return false
  registerEditions()
  takeOverAmbient()
  const postgres = process.env.TEST_POSTGRES === undefined ? await startTestPostgres() : null
  const ground = await prepareGround()
  try {
    return options.mutants.length > 0 ? await hunt(ground, options) : await runSeeds(ground, options)
  } finally {
    await ground.close()
    await postgres?.stop()
  }
}

async function runSeeds(ground: Ground, { seeds, seed, trace, covered, twice }: Options): Promise<boolean> {
  const coverage = new Coverage()
  const product = await loadProduct(SOUND)
  const startedAt = performance.now()
  let steps = 0
  for (let at = 0; at < seeds; at++) {
    const outcome = await runWorld({ seed: seed + at, ground, product, coverage })
    steps += outcome.steps
    if (twice) {
      const again = await runWorld({ seed: seed + at, ground, product, coverage })
      if (again.hash !== outcome.hash) {
        say(`Seed ${outcome.seed} went two ways: ${firstDifference(outcome, again)}`)
        return false
      }
    }
    if (trace) for (const line of outcome.trace) say(line)
    if (trace) say(`seed ${outcome.seed} is ${outcome.hash}`)
    if (outcome.violation !== null) {
      tellViolation(outcome)
      return false
    }
    if ((at + 1) % 25 === 0 && at + 1 < seeds) say(`${at + 1} of ${seeds} seeds, ${since(startedAt)}`)
  }
  say(`${seeds} seeds from ${seed}, ${steps} steps, no violation, ${since(startedAt)}`)
  if (twice) say(`${seeds} seeds went the same way twice`)
  tellCoverage(coverage)
  const missing = covered ? missingFrom(coverage) : []
  for (const each of missing) say(`Never happened: ${each}`)
  return missing.length === 0
}

/** Lets each mutant run until it is found; it has so many seeds to get through. */
async function hunt(ground: Ground, { seeds, seed, mutants, trace }: Options): Promise<boolean> {
  let through = 0
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
    if (found === null) through++
    else if (trace) for (const line of found.trace) say(line)
    const how = found
      ? `found after ${ran} seeds (${found.violation!.message})`
      : `not found in ${seeds} seeds`
    say(`${name}: ${how}, ${since(startedAt)}`)
  }
  return through === 0
}

function firstDifference(one: Outcome, other: Outcome): string {
  const at = one.trace.findIndex((line, place) => line !== other.trace[place])
  return `"${one.trace[at]}" and "${other.trace[at]}" after ${one.trace.slice(Math.max(0, at - 8), at).join(', ')}`
}

function tellViolation({ seed, hash, trace, violation }: Outcome): void {
  for (const line of trace.slice(-SHOWN_STEPS)) say(line)
  say(`\nSeed ${seed} (${hash}) breaks a law. ${violation!.message}`)
  say(`Again, with all its steps: npm run simulate -- --seeds 1 --seed ${seed} --trace`)
}

function tellCoverage(coverage: Coverage): void {
  const crashes = coverage.under('crash')
  say(`${crashes.size} points at which a process died`)
  for (const heading of ['deed', 'refused', 'given up', 'done', 'fault', 'met', 'up', 'crash']) {
    const counts = [...coverage.under(heading)].map(([what, times]) => `${what} ${times}`)
    say(`${heading}: ${counts.join(', ')}`)
  }
}

const since = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`)
}

const options = readOptions(process.argv.slice(2))
if ('problem' in options) {
  process.stderr.write(`${options.problem}\n\n${USAGE}\n`)
  process.exit(2)
}
process.exitCode = (await simulate(options)) ? 0 : 1
