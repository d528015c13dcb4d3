import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** The share of all processors that this process may use. The backend that copies the tables needs about half as much. */
const CPU_SHARE = 0.06

/** Shorter rests would cost more than they give. */
const SHORTEST_REST_MS = 20
const LONGEST_REST_MS = 5_000

/** Waits while the process is ahead of its share of the processors. Called after each piece of work. */
export type Pace = () => Promise<void>

/** Lets the game have the processors: a backup may take its time. */
export function createPace(signal?: AbortSignal): Pace {
  const msPerCpuMs = 1 / (CPU_SHARE * availableParallelism())
  const cpuFrom = process.cpuUsage()
  const from = performance.now()
  return async () => {
    const { user, system } = process.cpuUsage(cpuFrom)
    const ahead = ((user + system) / 1000) * msPerCpuMs - (performance.now() - from)
    if (ahead >= SHORTEST_REST_MS) await sleep(Math.min(ahead, LONGEST_REST_MS), undefined, { signal })
  }
}
