/** The rest after a round, as a multiple of its duration. */
const REST_FACTOR = 4

/**
 * Rounds that begin `work` only after a rest, which is longer the longer the work took: with many accounts, snapshots are
 * less frequent. After a failure there is no rest. `nowMs` is in milliseconds since any moment.
 */
export function restAfterRounds(work: () => Promise<void>, nowMs = () => performance.now()) {
  let restUntil = -Infinity
  return async (): Promise<void> => {
    const from = nowMs()
    if (from < restUntil) return
    await work()
    const until = nowMs()
    restUntil = until + REST_FACTOR * (until - from)
  }
}
