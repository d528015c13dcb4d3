import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for the next turn. Rejects if the signal has aborted. */
export type Pace = (signal?: AbortSignal) => Promise<void>

/** How far turns may catch up with time that was lost while the process was busy. */
export const CATCH_UP_MS = 200

/**
 * Turns in the order of the calls, evenly apart. A process that was busy catches up a little: in no second are there more
 * than 1.2 × `perSecond` turns.
 */
export function createPace(perSecond: number): Pace {
  const intervalMs = 1_000 / perSecond
  let nextMs = 0
  let last = Promise.resolve()
  const takeTurn = async (): Promise<void> => {
    const waitMs = nextMs - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    nextMs = Math.max(nextMs, performance.now() - CATCH_UP_MS) + intervalMs
  }
  return async (signal) => {
    last = last.then(takeTurn)
    await last
    signal?.throwIfAborted()
  }
}

const paces = new Map<string, Pace>()

/** The pace of a node in this process, which all connections to it share. The first call decides its rate. */
export function paceOf(url: string, perSecond: number): Pace {
  const pace = paces.get(url) ?? createPace(perSecond)
  paces.set(url, pace)
  return pace
}
