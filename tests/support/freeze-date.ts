import { onTestFinished, vi } from 'vitest'

/** Stops `Date` until the test ends, so that a busy machine cannot outlast a rate limit's window. Timers run as usual. */
export function freezeDate(): void {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
}
