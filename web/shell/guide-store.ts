import { browserStorage } from '#web/browser-storage.ts'
import { FIRST_STEPS_KEY } from '#web/storage-keys.ts'
import { createStore } from '#web/store.ts'

/** Whether this browser's player still wants, and may need, the first steps. */
export const guideWanted = createStore(browserStorage.getItem(FIRST_STEPS_KEY) === null, true)

/** For good: the player has hidden the first steps, or has done them. */
export function closeGuide(reason: 'hidden' | 'done'): void {
  browserStorage.setItem(FIRST_STEPS_KEY, reason)
  guideWanted.set(false)
}
