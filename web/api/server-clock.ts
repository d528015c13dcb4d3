/** A sample of the server's clock: its `Date` header, and the local instants between which it was written. */
export type ClockSample = { serverSecondMs: number; sentAtMs: number; receivedAtMs: number }

/**
 * Estimates the server's clock. A `Date` header is truncated to the second, so one response gives the offset only to
 * about a second. Each further response narrows the interval, soon to tens of milliseconds.
 */
export function createServerClock(localNow: () => number = Date.now) {
  let minOffsetMs = Number.NEGATIVE_INFINITY
  let maxOffsetMs = Number.POSITIVE_INFINITY

  return {
    addSample({ serverSecondMs, sentAtMs, receivedAtMs }: ClockSample): void {
      if (!Number.isFinite(serverSecondMs)) return
      const low = serverSecondMs - receivedAtMs
      const high = serverSecondMs + 999 - sentAtMs
      const overlaps = low <= maxOffsetMs && high >= minOffsetMs
      // Samples that contradict each other mean that a clock was set. Only the newest counts.
      minOffsetMs = overlaps ? Math.max(minOffsetMs, low) : low
      maxOffsetMs = overlaps ? Math.min(maxOffsetMs, high) : high
    },
    /** Milliseconds to add to the local clock; 0 before the first response. */
    offsetMs(): number {
      if (!Number.isFinite(minOffsetMs)) return 0
      // A local clock that may be right is not corrected, so that figures do not jitter.
      if (minOffsetMs <= 0 && maxOffsetMs >= 0) return 0
      return (minOffsetMs + maxOffsetMs) / 2
    },
    now(): Date {
      return new Date(localNow() + this.offsetMs())
    },
  }
}

export const serverClock = createServerClock()
