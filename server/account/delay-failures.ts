import { setTimeout as sleep } from 'node:timers/promises'
import { refuse, Refused } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'

/** Where a login comes from, and for which wallet. */
type Origin = { caller: string; wallet: string }

/** Runs a login. If it is refused, the answer waits. */
export type DelayFailures = <Answer>(origin: Origin, login: () => Promise<Answer>) => Promise<Answer>

// Many players share an address, and few of them fail. A wallet belongs to one player.
const FREE_FAILURES = { caller: 20, wallet: 5 }

/** One failure is forgotten in this time. */
const FORGET_MS = 10_000

const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 4_000

/** How many addresses and wallets with failures are remembered. Then the oldest is forgotten. */
const MAX_REMEMBERED = 20_000

/** How many answers may wait at once. More are refused immediately. */
const MAX_WAITING = 1_000

/**
 * Answers failed logins late, and later with each further failure of the same address or wallet, up to 4 s. A correct
 * signature is answered at once, whatever others at its address or for its wallet have sent, so nobody can lock a player
 * out. Refuses with too_many_requests if too many answers wait.
 */
export function createFailureDelay({
  clock,
  wait = (ms) => sleep(ms),
}: {
  clock: Clock
  wait?: ((ms: number) => Promise<void>) | undefined
}): DelayFailures {
  const failures = new Map<string, { count: number; at: number }>()
  let waiting = 0

  const addFailure = (name: string): number => {
    const now = clock.now().getTime()
    const { count, at } = failures.get(name) ?? { count: 0, at: now }
    const total = Math.max(0, count - (now - at) / FORGET_MS) + 1
    // Deleted first, so that the oldest entry is the first.
    failures.delete(name)
    failures.set(name, { count: total, at: now })
    if (failures.size > MAX_REMEMBERED) failures.delete(failures.keys().next().value!)
    return total
  }

  return async ({ caller, wallet }, login) => {
    try {
      return await login()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const excess = Math.max(
        addFailure(`caller ${caller}`) - FREE_FAILURES.caller,
        addFailure(`wallet ${wallet}`) - FREE_FAILURES.wallet,
      )
      if (excess <= 0) throw error
      if (waiting >= MAX_WAITING) refuse('too_many_requests', { seconds: MAX_DELAY_MS / 1_000 })
      waiting += 1
      await wait(Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (excess - 1))).finally(() => (waiting -= 1))
      throw error
    }
  }
}
