import { quantile } from '../../bench/statistics.ts'
import type { Series } from './watch-resources.ts'

const SHARES = [0.5, 0.99]

/**
 * The latencies of actions by minute. In milliseconds they also rise when the machine becomes slower. So they are judged as
 * multiples of the latency of a read: the balance of a player is one row, however long the game has run.
 */
export class LatencyWatch {
  readonly #absolute = seriesFor('ms', false)
  readonly #relative = seriesFor('times that of a read', true)

  /** Adds a minute; one in which everything failed is left out. */
  add(actions: readonly number[], reads: readonly number[]): void {
    if (actions.length === 0 || reads.length === 0) return
    for (const [at, share] of SHARES.entries()) {
      const ms = quantile(actions, share)
      this.#absolute[at]!.values.push(ms)
      this.#relative[at]!.values.push(ms / quantile(reads, share))
    }
  }

  list(): Series[] {
    return [...this.#absolute, ...this.#relative]
  }
}

const seriesFor = (unit: string, isJudged: boolean): Series[] =>
  SHARES.map((share) => ({ what: `latency, p${share * 100}`, unit, isJudged, values: [] }))
