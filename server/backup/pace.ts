import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** The share of all processors that this process may use once the rows are copied. */
const CPU_SHARE = 0.03

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
export const restMs = ({
  cpuMs,
  elapsedMs,
  cores,
}: {
  cpuMs: number
  elapsedMs: number
  cores: number
}): number => Math.max(0, cpuMs / (CPU_SHARE * cores) - elapsedMs)
