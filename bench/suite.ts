/** A benchmark: it starts what it needs, measures, and ends all it started. */
export type Suite = {
  title: string
  run(options: { quick: boolean; say(line: string): void }): Promise<Measured>
}

export type Measured = (Compared | Counted) & {
  /** Facts that a reader needs to judge the figures. */
  facts: Record<string, string | number>
}

/** Ways of doing the same work, measured in turn. */
export type Compared = {
  /** The name of the way that every other one is divided by, unless it names one of its own. */
  base: string
  /** What was counted, per second. */
  unit: string
  /** Of which second, where it is not the clock's. */
  per?: string
  ways: Way[]
  /** What the figures are held against, each round's own. */
  reach?: Reach[]
}

/**
 * One way's figure, over another's where one is named, and how much of it is wanted: the least of what is done, the
 * most of what is waited.
 */
export type Reach = {
  what: string
  of: string
  over?: string
  /** `perSecond` where nothing is said; `p99Ms`, or a heading of `more`. */
  figure?: string
  atLeast?: number
  atMost?: number
}

/** One way of doing the work, with one figure for each round. */
export type Way = {
  name: string
  base?: string
  perSecond: number[]
  p50Ms?: number[]
  p99Ms?: number[]
  /** Other figures of it, by the heading of their column. */
  more?: Record<string, number[]>
}

/** Counts, which are the same on every machine and need no base. */
export type Counted = Table & { more?: (Table & { title: string })[] }

export type Table = { columns: string[]; rows: (string | number)[][] }

/** A run on its way: what it stands on is taken away at its end, the newest first. */
export type Course = {
  quick: boolean
  say(line: string): void
  closers: (() => Promise<unknown> | unknown)[]
}

/** No suite takes this long, unless something in it waits for what never comes. */
const LONGEST_MINUTES = 15

/**
 * A suite that leaves nothing behind, also when it is interrupted, and that ends by itself, also where an answer is
 * waited for that never comes.
 */
export function suiteOf(
  title: string,
  measure: (course: Course) => Promise<Measured>,
  longestMinutes = LONGEST_MINUTES,
): Suite {
  return {
    title,
    async run({ quick, say }) {
      const closers: Course['closers'] = []
      const interrupted = Promise.withResolvers<never>()
      const stop = () => interrupted.reject(new Interrupted())
      process.once('SIGINT', stop).once('SIGTERM', stop)
      const late = () => interrupted.reject(new Error(`Not done after ${longestMinutes} minutes`))
      const limit = setTimeout(late, longestMinutes * 60_000)
      const measured = measure({ quick, say, closers })
      // What it stands on is taken away when it is interrupted, and it may say so.
      measured.catch(() => undefined)
      try {
        return await Promise.race([measured, interrupted.promise])
      } finally {
        clearTimeout(limit)
        for (const closer of closers.toReversed()) await atMost(CLOSE_MS, closer)
      }
    },
  }
}

const CLOSE_MS = 20_000

/** What waits for a hung request cannot be closed; it ends with the process. */
async function atMost(ms: number, close: () => Promise<unknown> | unknown): Promise<void> {
  const { promise: over, resolve: giveUp } = Promise.withResolvers<void>()
  const timer = setTimeout(giveUp, ms)
  try {
    await Promise.race([close(), over])
  } finally {
    clearTimeout(timer)
  }
}

/** Ctrl-C: nothing is wrong, and there is nothing to record. */
export class Interrupted extends Error {}
