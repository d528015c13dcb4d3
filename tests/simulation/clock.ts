/** The clock of a simulated world. It advances with each step, and jumps as a fault. */
export class WorldClock {
  #ms: number
  /** The latest instant that any process can have read. */
  latestMs: number
  /** Monotonic time, unaffected by jumps. */
  sinceStartMs = 0
  /** The times since the last transaction began. It has read some of them. */
  sinceBegin: Date[] = []

  constructor(start: string) {
    this.#ms = Date.parse(start)
    this.latestMs = this.#ms
  }

  now(): Date {
    return new Date(this.#ms)
  }

  /** Notes that a transaction begins now. */
  beginTransaction(): void {
    this.sinceBegin = [this.now()]
  }

  /** Advances both the wall clock and the monotonic clock. */
  advance(ms: number): void {
    this.sinceStartMs += ms
    this.jump(ms)
  }

  /** Changes the wall clock only. */
  jump(ms: number): void {
    this.#ms += ms
    this.latestMs = Math.max(this.latestMs, this.#ms)
    this.sinceBegin.push(this.now())
  }

  /** Undoes backward jumps: the clock continues from the latest instant that was read. */
  catchUp(): void {
    this.#ms = this.latestMs
  }
}
