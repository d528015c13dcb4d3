import { parseArgs } from 'node:util'
import { mutants } from './mutants.ts'

export type Options = {
  /** The number of worlds; with mutants, the number in which each may stay undetected. */
  seeds: number
  /** The first seed. */
  seed: number
  /** Further seeds, after those. */
  also: number[]
  /** The mutants to run, one after the other. If it is empty, the unmutated product is run. */
  mutants: string[]
  /** Shows every step. */
  trace: boolean
  /** Fails if a kind of fault, an action or a result never occurred. */
  exercised: boolean
  /** Fails if a fault never met a state that it can meet, too. */
  covered: boolean
  /** Runs each seed twice and compares. */
  twice: boolean
  /** Continues after a seed that violates an invariant. */
  onward: boolean
  /** How many processes share the work. */
  jobs: number
}

export const USAGE = `npm run test:simulation -- [--seeds N] [--seed S] [--also S,…] [--mutant NAME,…|all] [--trace] [--exercised]
                    [--covered] [--twice] [--onward] [--jobs J]

  --seeds N      the number of worlds, 1 to 1000000 (200); with --mutant, the most worlds for each mutant
  --seed S       the first seed, 0 to 4294967295 (1)
  --also S,…     further seeds after those; not with --mutant
  --mutant NAME  run the product with each of these mutants until it is found:
                 ${mutants.map((each) => each.name).join('\n                 ')}
  --trace        show every step
  --exercised    fail if a kind of fault, an action or a result never occurred; name the seeds that met each first, and
                 few seeds that suffice
  --covered      the same, and fail if a fault never met a state that it can meet
  --twice        run each seed twice and fail if the histories differ
  --onward       continue after a seed that violates an invariant, and list all of them at the end
  --jobs J       split the seeds, or the mutants, between this many processes, 1 to 64 (1)`

const SEED_RANGE = { min: 0, max: 2 ** 32 - 1 }

/** Parses the options strictly. Anything unknown or invalid is returned as a problem, in one sentence. */
export function readOptions(args: readonly string[]): Options | { problem: string } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        seeds: { type: 'string' },
        seed: { type: 'string' },
        also: { type: 'string' },
        mutant: { type: 'string' },
        trace: { type: 'boolean' },
        exercised: { type: 'boolean' },
        covered: { type: 'boolean' },
        twice: { type: 'boolean' },
        onward: { type: 'boolean' },
        jobs: { type: 'string' },
      },
    })
    const all = mutants.map((each) => each.name)
    const wanted = values.mutant === 'all' ? all : (values.mutant?.split(',') ?? [])
    const unknown = wanted.find((name) => !all.includes(name))
    if (unknown !== undefined) return { problem: `--mutant: there is no mutant "${unknown}".` }
    return {
      seeds: parseWholeNumber('--seeds', values.seeds ?? '200', { min: 1, max: 1_000_000 }),
      seed: parseWholeNumber('--seed', values.seed ?? '1', SEED_RANGE),
      also: (values.also?.split(',') ?? []).map((text) => parseWholeNumber('--also', text, SEED_RANGE)),
      mutants: wanted,
      trace: values.trace ?? false,
      exercised: (values.exercised ?? false) || (values.covered ?? false),
      covered: values.covered ?? false,
      twice: values.twice ?? false,
      onward: values.onward ?? false,
      jobs: parseWholeNumber('--jobs', values.jobs ?? '1', { min: 1, max: 64 }),
    }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

function parseWholeNumber(name: string, text: string, { min, max }: { min: number; max: number }): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new Error(`${name} is "${text}", which is not a whole number from ${min} to ${max}.`)
  return value
}

/** The options of each process: every seed, or every mutant, is in exactly one of them. */
export function splitOptions({ jobs, ...options }: Options): Options[] {
  const every = Array.from({ length: jobs }, (_, job) => job)
  const first = (job: number): number => Math.floor((options.seeds * job) / jobs)
  const shares =
    options.mutants.length > 0
      ? every.map((job) => ({ ...options, mutants: options.mutants.filter((_, at) => at % jobs === job) }))
      : every.map((job) => ({
          ...options,
          seed: options.seed + first(job),
          seeds: first(job + 1) - first(job),
          also: options.also.filter((_, at) => at % jobs === job),
        }))
  const isWork = (share: (typeof shares)[number]): boolean =>
    options.mutants.length > 0 ? share.mutants.length > 0 : share.seeds > 0 || share.also.length > 0
  return shares.filter(isWork).map((share) => ({ ...share, jobs: 1 }))
}
