import { ChainUnavailable } from '#server/chain/port.ts'
import { isUnavailable } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'

/** Work that goes on until it is stopped; `stop` waits for the round that runs. */
export type Running = { stop(): Promise<void> }

const LONGEST_PAUSE_MS = 15_000

/**
 * Does a round again and again, `paceMs` after the last one ended. A round that fails is tried again, later each time;
 * it must be safe to be cut off anywhere.
 */
export function repeat(
  round: (stopping: AbortSignal) => Promise<void>,
  { paceMs, log }: { paceMs: number; log: Log },
): Running {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async (): Promise<void> => {
    let failures = 0
    while (!signal.aborted) {
      try {
        await round(signal)
        failures = 0
      } catch (error) {
        failures += 1
        if (isOutOfReach(error))
          log.warn({ failures, reason: (error as Error).message }, 'out of reach, trying again')
        else log.error({ failures, err: error }, 'a round failed, trying again')
      }
      await pause(Math.min(paceMs * 2 ** Math.min(failures, 10), Math.max(paceMs, LONGEST_PAUSE_MS)), signal)
    }
  }
  const done = run()
  return {
    stop: () => {
      stopping.abort()
      return done
    },
  }
}

/** True where the chain or the database does not answer, so that all other work would fail as well. */
export function isOutOfReach(error: unknown): boolean {
  return error instanceof ChainUnavailable || isUnavailable(error)
}

/** Waits, but not past a stop. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
