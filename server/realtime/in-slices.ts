import { setImmediate as nextTurn } from 'node:timers/promises'

// So little that a call that waits does not feel it, also where there are ten thousand.
const SLICE_MS = 5
const LOOK_AT_THE_CLOCK_EVERY = 16

/** Does something for each of many, and lets the process breathe in between. */
export async function inSlices<T>(all: readonly T[], act: (each: T) => void): Promise<void> {
  let from = performance.now()
  for (const [at, each] of all.entries()) {
    act(each)
    if (at % LOOK_AT_THE_CLOCK_EVERY === 0 && performance.now() - from > SLICE_MS) {
      await nextTurn()
      from = performance.now()
    }
  }
}
