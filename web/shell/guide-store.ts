import { memory } from '#web/memory.ts'
import { FIRST_STEPS_KEY } from '#web/storage-keys.ts'
import { createStore } from '#web/store.ts'

/** Whether this browser's player still wants, and may need, the first steps. */
export const guide = createStore(memory.getItem(FIRST_STEPS_KEY) === null, true)

/** For good: the player has hidden the first steps, or has done them. */
export function closeGuide(why: 'hidden' | 'done'): void {
  memory.setItem(FIRST_STEPS_KEY, why)
  guide.set(false)
}
