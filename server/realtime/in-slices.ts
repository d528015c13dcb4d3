import { setImmediate as nextTurn } from 'node:timers/promises'

// Few enough that a call that waits does not feel it, also where there are ten thousand.
const SLICE = 256

/** Does something for each of many, and lets the process breathe in between. */
export async function inSlices<T>(all: readonly T[], act: (each: T) => void): Promise<void> {
  for (let from = 0; from < all.length; from += SLICE) {
    if (from > 0) await nextTurn()
    for (const each of all.slice(from, from + SLICE)) act(each)
  }
}
