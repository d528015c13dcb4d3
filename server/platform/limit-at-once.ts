import pLimit from 'p-limit'
import { refuse } from './answer.ts'

/**
 * Returns a function that runs at most `max` calls at once, so that expensive ones leave connections to others. Further
 * calls wait in their order. While `maxWaiting` of them wait, more are refused as busy.
 */
export function limitAtOnce({ max, maxWaiting }: { max: number; maxWaiting: number }) {
  const limit = pLimit(max)
  return async <T>(call: () => Promise<T>): Promise<T> => {
    if (limit.activeCount + limit.pendingCount >= max + maxWaiting) refuse('busy')
    return limit(call)
  }
}
