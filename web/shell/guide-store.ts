import { memory } from '#web/memory.ts'
import { createStore } from '#web/store.ts'

const KEY = 'firstSteps'

/** Whether this browser's player still wants, and may need, the first steps. */
export const guide = createStore(memory.getItem(KEY) === null, true)

/** For good: the player has hidden the first steps, or has done them. */
export function closeGuide(why: 'hidden' | 'done'): void {
  memory.setItem(KEY, why)
  guide.set(false)
}
