import pLimit from 'p-limit'
import { refuse } from './answer.ts'
import { CountByName } from './count-by-name.ts'

/** How long a caller whose call is refused is asked to wait. */
const WAIT_SECONDS = 5

/**
 * Returns a function that runs at most `max` calls of one name at once, in their order. While `maxWaiting` of a name wait, more
 * are refused with too_many_requests. That is not `busy`, by which an api says that it can serve nobody: a proxy may send its
 * requests to other apis then, and the alert of failing requests counts each 503. Calls of different names do not wait for each
 * other.
 */
export function limitByName({ max = 1, maxWaiting }: { max?: number; maxWaiting: number }) {
  const limits = new Map<string, ReturnType<typeof pLimit>>()
  const open = new CountByName()
  return async <T>(name: string, call: () => Promise<T>): Promise<T> => {
    if (open.countOf(name) >= max + maxWaiting) refuse('too_many_requests', { seconds: WAIT_SECONDS })
    const limit = limits.get(name) ?? pLimit(max)
    limits.set(name, limit)
    open.add(name)
    try {
      return await limit(call)
    } finally {
      open.remove(name)
      if (open.countOf(name) === 0) limits.delete(name)
    }
  }
}
