import type { Cotton } from '#game/cotton.ts'
import { browserStorage } from '#web/browser-storage.ts'
import { FIRST_STEPS_KEY } from '#web/storage-keys.ts'
import { createStore } from '#web/store.ts'

/** The player whose first steps have reached the claim in this visit. Their next claim is celebrated. */
export const claimingWallet = createStore<string | null>(null)

/** The amount of the first harvest while it is celebrated. */
export const firstHarvest = createStore<Cotton | null>(null)

/** Records that a player's first steps have reached the claim. */
export function awaitFirstHarvest(walletAddress: string | null): void {
  if (claimingWallet.get() === walletAddress) return
  claimingWallet.set(walletAddress)
  // That of another player in this browser.
  firstHarvest.set(null)
}

/** Celebrates the first harvest until the player dismisses it or leaves. The first steps are finished from now on. */
export function celebrate(amount: Cotton): void {
  browserStorage.setItem(FIRST_STEPS_KEY, 'done')
  if (firstHarvest.get() === null) firstHarvest.set(amount)
}
