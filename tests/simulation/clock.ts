/** The time of a simulated world. It goes forward by itself, and jumps when the world says so. */
export class WorldClock {
  #ms: number
  /** The latest instant that anybody could have read. */
  latestMs: number
  /** What a clock shows that nobody can set. */
  sinceStartMs = 0

  constructor(start: string) {
    this.#ms = Date.parse(start)
    this.latestMs = this.#ms
  }

  now(): Date {
    return new Date(this.#ms)
  }

  /** Time goes by. */
  advance(ms: number): void {
    this.sinceStartMs += ms
    this.jump(ms)
  }

  /** Somebody sets the clock. */
  jump(ms: number): void {
    this.#ms += ms
    this.latestMs = Math.max(this.latestMs, this.#ms)
  }

  /** Never again behind what was read before. */
  catchUp(): void {
    this.#ms = this.latestMs
  }
}
