import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** The share of all processors that this process may use at first. The backend that copies the tables needs half as much. */
const CPU_SHARE = 0.03

/** The share doubles in this time, then triples, and so on: an old snapshot slows down rows that change all the time. */
const GROWS_EACH_MS = 60_000

/** Shorter rests would cost more than they give. */
const SHORTEST_REST_MS = 20
const LONGEST_REST_MS = 5_000

/** Waits while the process is ahead of its share of the processors. Called after each piece of work. */
export type Pace = () => Promise<void>

/** Lets the game have the processors: a backup may take its time. */
export function createPace(signal?: AbortSignal): Pace {
  const cpuFrom = process.cpuUsage()
  const from = performance.now()
  return async () => {
    const { user, system } = process.cpuUsage(cpuFrom)
    const rest = restMs({
      cpuMs: (user + system) / 1000,
      elapsedMs: performance.now() - from,
      cores: availableParallelism(),
    })
    if (rest >= SHORTEST_REST_MS) await sleep(Math.min(rest, LONGEST_REST_MS), undefined, { signal })
  }
}

/** How long a process that has used `cpuMs` in `elapsedMs` has to rest, so that the rest brings it back to its share. */
export function restMs({
  cpuMs,
  elapsedMs,
  cores,
}: {
  cpuMs: number
  elapsedMs: number
  cores: number
}): number {
  const share = CPU_SHARE * cores
  const allowedMs = share * elapsedMs * (1 + elapsedMs / (2 * GROWS_EACH_MS))
  return Math.max(0, (cpuMs - allowedMs) / (share * (1 + elapsedMs / GROWS_EACH_MS)))
}
