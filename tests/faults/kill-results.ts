import { median, quantile } from '../../bench/statistics.ts'
import type { Checked } from '#tests/cluster/played-game.ts'

const LOST = /is lost|fit no order|is stored as|on the chain/
const DOUBLED = /twice|two keys/

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** What was killed how often, how long it was away, and what the checks found. */
export class KillResults {
  /** Times until it worked again, of those that were waited for. */
  readonly #recoveries = new Map<string, number[]>()
  readonly #kills = new Map<string, number>()
  readonly #faults: string[] = []
  #acknowledged = 0
  #unknown = 0
  #audits = 0
  #findings = 0

  get faults(): number {
    return this.#faults.length
  }

  get kills(): number {
    return [...this.#kills.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Null if the next kill came before it worked again. */
  add(target: string, recoveryMs: number | null): void {
    this.#kills.set(target, (this.#kills.get(target) ?? 0) + 1)
    if (recoveryMs !== null)
      this.#recoveries.set(target, [...(this.#recoveries.get(target) ?? []), recoveryMs])
  }

  fail(fault: string): void {
    this.#faults.push(fault)
  }

  /** Adds a check and returns its line. */
  check({ acknowledged, unknown, faults, audit }: Checked): string {
    this.#acknowledged += acknowledged
    this.#unknown += unknown
    this.#audits += 1
    this.#findings += audit.length
    this.#faults.push(...faults, ...audit.map((finding) => `audit: ${finding}`))
    const found = [...faults, ...audit].slice(0, 10).map((fault) => `\n   ${fault.slice(0, 600)}`)
    const counts = `${acknowledged} acknowledged, ${unknown} unknown, ${faults.length} faults, audit ${audit.length}`
    return `${this.kills} kills: ${counts}${found.join('')}`
  }

  lines(): string[] {
    const rows = [...this.#kills].map(([target, count]) => {
      const times = this.#recoveries.get(target) ?? []
      const spread =
        times.length === 0
          ? ['–', '–', '–']
          : [median(times), quantile(times, 0.99), Math.max(...times)].map(seconds)
      return `| ${[target, count, ...spread].join(' | ')} |`
    })
    const count = (pattern: RegExp): number => this.#faults.filter((fault) => pattern.test(fault)).length
    return [
      '| Target | Times | Until it works: median | p99 | worst |',
      '| ------ | ----- | ---------------------- | --- | ----- |',
      ...rows,
      `${this.kills} in all. ${this.#acknowledged} acknowledged, ${this.#unknown} of unknown outcome, ${count(LOST)} lost, ${count(DOUBLED)} doubled.`,
      `${this.#audits} audits, ${this.#findings} findings. ${this.#faults.length} faults in all.`,
      ...this.#faults.slice(0, 20).map((fault) => fault.slice(0, 600)),
    ]
  }
}
