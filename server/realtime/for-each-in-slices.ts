import { setImmediate as nextTurn } from 'node:timers/promises'

// Short enough that a concurrent call is not delayed noticeably, even with ten thousand sockets.
const SLICE_MS = 5

/**
 * Calls `act` for each element, and yields to the event loop after each slice of time. Nothing else runs within a slice.
 * `onSliceStart` is called at the start of each.
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
