import { walletFreeze } from '#web/wallet-freeze.ts'
import { complete } from './complete.ts'
import { session } from './session.ts'

/**
 * Applies the reason with which an action of this session was refused: another player may have logged in meanwhile. Few
 * players ever need it, so it is loaded then.
 */
export function applyFreeze(body: unknown, token: string | null): void {
  if (session.get().token === token) walletFreeze.set(complete({ reason: '', since: '' }, body))
}
