/** A benchmark. It starts what it needs, measures, and stops everything it started. */
export type Suite = {
  title: string
  run(options: { quick: boolean; say(line: string): void }): Promise<Measured>
}

export type Measured = (Compared | Table) & {
  more?: (Table & { title: string })[]
  /** Facts that a reader needs to interpret the figures. */
  facts: Record<string, string | number>
}

/** Variants of the same work, measured in turn. */
export type Compared = {
  /** The name of the variant that all others are divided by, unless they name their own. */
  base: string
  /** What is counted. */
  unit: string
  /** Heading of the rate, where it is not per second of elapsed time. */
  per?: string
  variants: Variant[]
  targets?: Target[]
}

/** A figure of one variant, divided by the same figure of `over` if given, and its limits. */
export type Target = {
  what: string
  of: string
  over?: string
  /** `perSecond` by default, `p99Ms`, or a heading of `more`. */
  figure?: string
  atLeast?: number
  atMost?: number
}

/** One variant, with one figure for each round. */
export type Variant = {
  name: string
  base?: string
  perSecond: number[]
  p50Ms?: number[]
  p99Ms?: number[]
  /** Other figures, by column heading. */
  more?: Record<string, number[]>
}

/** Counts that are the same on every machine and need no base. */
export type Table = { columns: string[]; rows: (string | number)[][] }

/** One execution of a suite. Its closers are called at the end, the newest first. */
export type Run = {
  quick: boolean
  say(line: string): void
  closers: (() => Promise<unknown> | unknown)[]
}

const MAX_MINUTES = 15
const CLOSE_TIMEOUT_MS = 20_000

/** A suite that cleans up after itself, also when interrupted, and that fails after `maxMinutes`. */
export function suiteOf(
  title: string,
  measure: (run: Run) => Promise<Measured>,
  maxMinutes = MAX_MINUTES,
): Suite {
  return {
    title,
    async run({ quick, say }) {
      const closers: Run['closers'] = []
      const interrupted = Promise.withResolvers<never>()
      const stop = () => interrupted.reject(new Interrupted())
      process.once('SIGINT', stop).once('SIGTERM', stop)
      const late = () => interrupted.reject(new Error(`Not done after ${maxMinutes} minutes`))
      const limit = setTimeout(late, maxMinutes * 60_000)
      const measured = measure({ quick, say, closers })
      // After an interruption its servers disappear, and it fails on its own.
      measured.catch(() => undefined)
      try {
        return await Promise.race([measured, interrupted.promise])
      } finally {
        clearTimeout(limit)
        await closeAll(closers)
      }
    },
  }
}

/** Closes the newest first, and empties the list. */
export async function closeAll(closers: Run['closers']): Promise<void> {
  for (const closer of closers.splice(0).toReversed()) await withTimeout(closer)
}

/** A server that waits for a hung request cannot be closed; it ends with the process. */
async function withTimeout(close: () => Promise<unknown> | unknown): Promise<void> {
  const { promise: over, resolve: giveUp } = Promise.withResolvers<void>()
  const timer = setTimeout(giveUp, CLOSE_TIMEOUT_MS)
  try {
    await Promise.race([close(), over])
  } finally {
    clearTimeout(timer)
  }
}

/** Ctrl-C: not an error, and nothing to record. */
export class Interrupted extends Error {}
