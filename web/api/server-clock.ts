/** One look at the server's clock: its `Date` header, and the local instants between which it was written. */
export type ClockReading = { serverSecondMs: number; askedAtMs: number; answeredAtMs: number }

/**
 * The server's clock as seen from here. A `Date` header is cut to the second, so one answer fixes the offset only
 * to about a second; every further answer narrows the interval, and their intersection soon is tens of milliseconds.
 */
export function createServerClock(localNow: () => number = Date.now) {
  let least = Number.NEGATIVE_INFINITY
  let most = Number.POSITIVE_INFINITY

  return {
    learn({ serverSecondMs, askedAtMs, answeredAtMs }: ClockReading): void {
      if (!Number.isFinite(serverSecondMs)) return
      const low = serverSecondMs - answeredAtMs
      const high = serverSecondMs + 999 - askedAtMs
      const overlaps = low <= most && high >= least
      // Readings that contradict each other mean that a clock was set: only the newest counts.
      least = overlaps ? Math.max(least, low) : low
      most = overlaps ? Math.min(most, high) : high
    },
    /** Milliseconds to add to the local clock; 0 before the first answer. */
    offsetMs(): number {
      if (!Number.isFinite(least)) return 0
      // A local clock that is possibly right is left alone, so that figures do not jitter for nothing.
      if (least <= 0 && most >= 0) return 0
      return (least + most) / 2
    },
    now(): Date {
      return new Date(localNow() + this.offsetMs())
    },
  }
}

export const serverClock = createServerClock()
