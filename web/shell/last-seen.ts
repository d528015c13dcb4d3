import { browserStorage } from '#web/browser-storage.ts'
import { LAST_SEEN_KEY } from '#web/storage-keys.ts'

/** Who does not look at the game for this long has been away. */
export const AWAY_MS = 3_600_000

/** When this browser last showed the game to a player, by its own clock (ms); null where it never did. */
export function loadLastSeen(walletAddress: string): number | null {
  const [wallet, at] = (browserStorage.getItem(LAST_SEEN_KEY) ?? '').split(' ')
  const ms = Number(at)
  return wallet === walletAddress && ms > 0 ? ms : null
}

export function storeLastSeen(walletAddress: string, nowMs: number): void {
  browserStorage.setItem(LAST_SEEN_KEY, `${walletAddress} ${nowMs}`)
}

/**
 * A look at the game. Answers when the one before was where a player comes back, so that they can be told what happened
 * since, and notes nothing until they were; null where they were here all the time, or never.
 */
export function findAbsenceStart(walletAddress: string, nowMs: number): number | null {
  const before = loadLastSeen(walletAddress)
  if (before !== null && nowMs - before >= AWAY_MS) return before
  storeLastSeen(walletAddress, nowMs)
  return null
}
