import { walletFreeze } from '#web/wallet-freeze.ts'
import { complete } from './complete.ts'

/** Applies the reason with which an action was refused. Few players ever need it, so it is loaded then. */
export function applyFreeze(body: unknown): void {
  walletFreeze.set(complete({ reason: '', since: '' }, body))
}
