import { browserStorage } from '#web/browser-storage.ts'
import { LAST_SEEN_KEY } from '#web/storage-keys.ts'

/** A player who has not viewed the game for this long (ms) has been away. */
export const AWAY_MS = 3_600_000

/** When this browser last showed the game to a player, by its own clock (ms); null if it never did. */
export function loadLastSeen(walletAddress: string): number | null {
  const [wallet, at] = (browserStorage.getItem(LAST_SEEN_KEY) ?? '').split(' ')
  const ms = Number(at)
  return wallet === walletAddress && ms > 0 ? ms : null
}

export function storeLastSeen(walletAddress: string, nowMs: number): void {
  browserStorage.setItem(LAST_SEEN_KEY, `${walletAddress} ${nowMs}`)
}

/**
 * Records that the player is viewing the game. Returns the start of the absence (ms) if the player has been away; then
 * nothing is recorded until the absence summary has been shown. Returns null otherwise, and for a new player.
 */
export function findAbsenceStart(walletAddress: string, nowMs: number): number | null {
  const before = loadLastSeen(walletAddress)
  if (before !== null && nowMs - before >= AWAY_MS) return before
  storeLastSeen(walletAddress, nowMs)
  return null
}
