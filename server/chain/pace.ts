import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for the next turn. Rejects if the signal has aborted, or if the turn would be too late. */
export type Pace = (signal?: AbortSignal) => Promise<void>

/** How far turns may catch up with time that was lost while the process was busy. */
export const CATCH_UP_MS = 200

/** The most calls in a second, and how long one may wait for its turn; any time by default. */
export type Rate = { perSecond: number; maxWaitMs?: number | undefined }

/**
 * Turns in the order of the calls, evenly apart. A process that was busy catches up a little: in no second are there more
 * than 1.2 × `perSecond` turns.
 */
export function createPace({ perSecond, maxWaitMs = Infinity }: Rate): Pace {
  const intervalMs = 1_000 / perSecond
  let nextMs = 0
  let waiting = 0
  let last = Promise.resolve()
  const takeTurn = async (): Promise<void> => {
    const waitMs = nextMs - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    nextMs = Math.max(nextMs, performance.now() - CATCH_UP_MS) + intervalMs
  }
  return async (signal) => {
    if (waiting * intervalMs > maxWaitMs) throw new Error('too many calls wait for it')
    waiting += 1
    last = last.then(takeTurn)
    await last
    waiting -= 1
    signal?.throwIfAborted()
  }
}

const paces = new Map<string, Pace>()

/** The pace of a node in this process, which all connections to it share. The first call decides its rate. */
export function paceOf(url: string, rate: Rate): Pace {
  const pace = paces.get(url) ?? createPace(rate)
  paces.set(url, pace)
  return pace
}
