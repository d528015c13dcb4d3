import { setImmediate as nextTurn } from 'node:timers/promises'

// So little that a call that waits does not feel it, also where there are ten thousand.
const SLICE_MS = 5

/**
 * Does something for each of many, and lets the process breathe whenever a slice of time is used up. Within a slice
 * nothing else happens; `begin` is called before the first of each.
 */
export async function forEachInSlices<T>(
  all: readonly T[],
  act: (each: T) => void,
  { sliceMs = SLICE_MS, onSliceStart }: { sliceMs?: number | undefined; onSliceStart?: () => void } = {},
): Promise<void> {
  onSliceStart?.()
  let from = performance.now()
  for (const each of all) {
    act(each)
    if (performance.now() - from >= sliceMs) {
      await nextTurn()
      onSliceStart?.()
      from = performance.now()
    }
  }
}
