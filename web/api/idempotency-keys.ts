/**
 * How long after a call without a response the same call uses its key again. It is longer than the game works on a call.
 * Later the player means another action, which the key of the first one would not do.
 */
const KEY_REUSE_MS = 60_000

/** For how long the game certainly stores a key, with an hour for another press: it removes keys after 48 hours. */
const KEY_STORED_MS = 47 * 3_600_000

type UnansweredKey = {
  key: string
  /** When the first call with this key was made. */
  firstUsedAt: number
  /** Infinity while the call waits. */
  unansweredAt: number
  /** False if the browser said that it is offline. It may be wrong. */
  wasSent: boolean
}

/** The keys of calls that got no response. The same call uses the same key again, so that it takes effect once. */
const unansweredKeys = new Map<string, UnansweredKey>()

/** After the opposite of such a call the same call is another action, which its key from before would not do. */
export function forgetUnanswered({ path }: { path: string }): void {
  for (const requestText of unansweredKeys.keys())
    if (requestText.startsWith(`${path} `)) unansweredKeys.delete(requestText)
}

const isStored = ({ firstUsedAt }: UnansweredKey): boolean => Date.now() - firstUsedAt < KEY_STORED_MS

/** A call with an idempotency key. */
export type KeyedAttempt = {
  key: string
  /** False if the same call was made with this key before. */
  isFirst: boolean
  /** Whether one of those calls may have reached the game. */
  wasTriedBefore: boolean
  /** Whether the game certainly stores the key, so that the call can be repeated and counts once. */
  isStored(): boolean
  /**
   * The call has ended without a response, or with one that does not say what was done: its key is used again. `wasSent`: false if
   * the browser said that it is offline.
   */
  fail(wasSent: boolean): void
  /** The response says what was done: the same call is another action from now on. */
  succeed(): void
}

/** Begins a call: with the key of the same call that got no response a short time ago, or with a new one. */
export function beginAttempt(requestText: string): KeyedAttempt {
  const known = unansweredKeys.get(requestText)
  const before = known && Date.now() - known.unansweredAt < KEY_REUSE_MS ? known : undefined
  const wasTriedBefore = before?.wasSent === true
  const tried: UnansweredKey = {
    key: before?.key ?? crypto.randomUUID(),
    firstUsedAt: before?.firstUsedAt ?? Date.now(),
    unansweredAt: Infinity,
    wasSent: true,
  }
  unansweredKeys.set(requestText, tried)
  return {
    key: tried.key,
    isFirst: !before,
    wasTriedBefore,
    isStored: () => isStored(tried),
    fail(wasSent) {
      tried.unansweredAt = Date.now()
      tried.wasSent = wasTriedBefore || wasSent
      // The device has slept for so long that the game may not know the key any more.
      if (!isStored(tried)) unansweredKeys.delete(requestText)
    },
    succeed: () => void unansweredKeys.delete(requestText),
  }
}
