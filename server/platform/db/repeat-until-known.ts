import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseUnavailable, UnknownOutcomeError } from './unavailable.ts'

const MAX_ATTEMPTS = 7
const INITIAL_BACKOFF_MS = 25

/** No attempt starts later than this. A failover can take longer; the caller then asks again. */
const MAX_DURATION_MS = 4_000

/** The repetitions of one piece of work, and whether one of them may have been committed. */
export type Repetitions = {
  /** Waits before the next attempt. False if there must be none. */
  next(error: unknown): Promise<boolean>
  /** For one part of the work, after the database has answered: all attempts again, in doubt if this work is. */
  split(): Repetitions
  /** The error to answer with: it never says that the work failed if it may have happened. */
  answerWith(error: unknown): unknown
}

export function startRepetitions(wasInDoubt = false): Repetitions {
  const untilMs = performance.now() + MAX_DURATION_MS
  let attempts = 1
  let isInDoubt = wasInDoubt
  return {
    async next(error) {
      isInDoubt ||= error instanceof UnknownOutcomeError
      if (!isDatabaseUnavailable(error) || attempts === MAX_ATTEMPTS) return false
      // Spread, so that the processes of a large game do not all return at once after a failover.
      const delayMs = INITIAL_BACKOFF_MS * 2 ** (attempts - 1) * (0.5 + Math.random())
      if (performance.now() + delayMs > untilMs) return false
      attempts += 1
      await sleep(delayMs)
      return true
    },
    split: () => startRepetitions(isInDoubt),
    answerWith: (error) =>
      isInDoubt && !(error instanceof UnknownOutcomeError) ? new UnknownOutcomeError(error) : error,
  }
}

/**
 * Repeats work that finds its own earlier effect, and so has it once. Throws `UnknownOutcomeError` if an attempt may have
 * been committed and no later one found out.
 */
export async function repeatUntilKnown<T>(work: () => Promise<T>): Promise<T> {
  const repetitions = startRepetitions()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(await repetitions.next(error))) throw repetitions.answerWith(error)
    }
  }
}
