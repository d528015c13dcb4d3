/** A benchmark: it starts what it needs, measures several ways in turn, and ends all it started. */
export type Suite = {
  title: string
  run(options: { quick: boolean; say(line: string): void }): Promise<Measured>
}

export type Measured = {
  /** The name of the way that every other one is divided by. */
  base: string
  /** What was counted, per second. */
  unit: string
  ways: Way[]
  /** Facts that a reader needs to judge the figures. */
  facts: Record<string, string | number>
}

/** One way of doing the work, with one figure for each round. */
export type Way = { name: string; perSecond: number[]; p50Ms?: number[]; p99Ms?: number[] }

/** Ctrl-C: nothing is wrong, and there is nothing to record. */
export class Interrupted extends Error {}
