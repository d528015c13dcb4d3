import { browserStorage } from '#web/browser-storage.ts'
import { FIRST_STEPS_KEY } from '#web/storage-keys.ts'
import { createStore } from '#web/store.ts'

/** Whether the first steps are neither finished nor hidden in this browser, or celebrate their end right now. */
export const guideWanted = createStore(browserStorage.getItem(FIRST_STEPS_KEY) === null, true)

/** Hides the first steps permanently, because the player has finished or hidden them. */
export function closeGuide(reason: 'hidden' | 'done'): void {
  browserStorage.setItem(FIRST_STEPS_KEY, reason)
  guideWanted.set(false)
}
