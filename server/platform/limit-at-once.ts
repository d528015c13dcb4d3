import { refuse } from './answer.ts'

/**
 * Returns a function that runs at most `max` works at once, so that expensive ones leave connections to others. Further
 * works wait in the order of the calls. With `maxWaiting` of them waiting, more are refused as busy.
 */
export function limitAtOnce({ max, maxWaiting }: { max: number; maxWaiting: number }) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < max) running += 1
    else {
      if (waiting.length >= maxWaiting) refuse('busy')
      // A work that ends leaves its place to the first that waits.
      await new Promise<void>((resume) => waiting.push(resume))
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
