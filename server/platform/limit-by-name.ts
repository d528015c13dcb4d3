import { CountByName } from './count-by-name.ts'
import { limitAtOnce } from './limit-at-once.ts'

/**
 * Returns a function that runs at most `max` calls of one name at once, in their order. While `maxWaiting` of a name wait, more
 * are refused as busy. Calls of different names do not wait for each other.
 */
export function limitByName({ max = 1, maxWaiting }: { max?: number; maxWaiting: number }) {
  const limits = new Map<string, ReturnType<typeof limitAtOnce>>()
  const open = new CountByName()
  return async <T>(name: string, call: () => Promise<T>): Promise<T> => {
    const limit = limits.get(name) ?? limitAtOnce({ max, maxWaiting })
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
