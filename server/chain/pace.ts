import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for the next turn. Rejects if the signal aborts first. */
export type Pace = (signal?: AbortSignal) => Promise<void>

/** Turns in the order of the calls, at least 1/`perSecond` seconds apart. */
export function createPace(perSecond: number): Pace {
  const intervalMs = 1_000 / perSecond
  let nextMs = 0
  return async (signal) => {
    const nowMs = performance.now()
    const turnMs = Math.max(nowMs, nextMs)
    nextMs = turnMs + intervalMs
    if (turnMs > nowMs) await sleep(turnMs - nowMs, undefined, { signal })
  }
}

const paces = new Map<string, Pace>()

/** The pace of a node in this process, which all connections to it share. The first call decides its rate. */
export function paceOf(url: string, perSecond: number): Pace {
  const pace = paces.get(url) ?? createPace(perSecond)
  paces.set(url, pace)
  return pace
}
