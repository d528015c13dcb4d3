import { refuse } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'

// A school or a mobile carrier has one address. Few of its players open their profile, which shows the deposit address, for the
// first time within minutes.
const MAX_NEW = 300
const WINDOW_MS = 10 * 60_000

/** Counts a new deposit address for a caller, until the returned function is called. Refuses with too_many_requests. */
export type CountNewAddress = (caller: string) => () => void

/**
 * Limits how many new deposit addresses the wallets of one caller get in ten minutes. Each costs the signer calls to the nodes,
 * is watched for ever, and uses up one of the 1,024 indexes that the signer has for ten minutes.
 */
export function limitNewAddresses(clock: Clock): CountNewAddress {
  const counts = new Map<string, number>()
  let startedAt = -Infinity
  return (caller) => {
    const now = clock.now().getTime()
    // Also after a clock was set back.
    if (Math.abs(now - startedAt) >= WINDOW_MS) {
      counts.clear()
      startedAt = now
    }
    const count = (counts.get(caller) ?? 0) + 1
    if (count > MAX_NEW)
      refuse('too_many_requests', { seconds: Math.ceil((startedAt + WINDOW_MS - now) / 1_000) })
    counts.set(caller, count)
    return () => void counts.set(caller, Math.max(0, (counts.get(caller) ?? 0) - 1))
  }
}
