import { createStore } from './store.ts'

/** Why and since when the player's wallet is frozen. */
export type WalletFreeze = { reason: string; since: string }

/** The freeze of the player's wallet by the last read; null without one. Buttons that move value follow it. */
export const walletFreeze = createStore<WalletFreeze | null>(null)

/** The id of the note with the reason. Frozen buttons refer to it, and a press of one clicks it. */
export const FREEZE_NOTE_ID = 'wallet-frozen'
