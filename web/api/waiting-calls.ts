import { createStore } from '#web/store.ts'

/** An action that takes less is not worth a word. */
const WAIT_BEFORE_MS = 2_000

/** The actions that have waited long for their response. Calling one stops waiting; it does not undo the action. */
export const waitingCalls = createStore<readonly (() => void)[]>([])

/** Lists an action after two seconds. Returns a function that removes it. */
export function trackWaiting(stopWaiting: () => void): () => void {
  const timer = setTimeout(() => waitingCalls.set([...waitingCalls.get(), stopWaiting]), WAIT_BEFORE_MS)
  return () => {
    clearTimeout(timer)
    waitingCalls.set(waitingCalls.get().filter((each) => each !== stopWaiting))
  }
}
