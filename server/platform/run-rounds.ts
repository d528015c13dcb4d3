import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, type DbSettings, openDb } from './db/db.ts'
import { systemClock } from './clock.ts'
import type { Log } from './log.ts'
import { measure } from './measure.ts'
import type { RoleTerm } from './role-term.ts'
import { isUnavailable } from './unavailable-error.ts'

/** Repeated work. `stop` waits for the current round. */
export type RunningRounds = { stop(): Promise<void> }

/** One round of work. It must be safe to interrupt at any point. */
type Round = (stopping: AbortSignal) => Promise<void>

const MAX_BACKOFF_MS = 15_000

/**
 * Opens a database and runs rounds on it until stopped. `stop` waits for the current round and closes the connections.
 * If `prepare` fails, the connections are closed too. With a `term`, every write checks it.
 */
export async function startRounds(
  { url, log, term, ...settings }: DbSettings & { url: string; log: Log; term?: RoleTerm | null },
  prepare: (db: Db) => Promise<{ round: Round; intervalMs: number }>,
): Promise<RunningRounds> {
  const opened = openDb(url, settings)
  const db = term ? term.fence(opened) : opened
  try {
    const { round, intervalMs } = await prepare(db)
    const running = runRepeatedly(round, { intervalMs, log, name: settings.applicationName })
    return {
      async stop() {
        await running.stop()
        await db.end()
      },
    }
  } catch (error) {
    await db.end()
    throw error
  }
}

/** Runs rounds with `intervalMs` between them. After a failure the next round starts later each time. */
export function runRepeatedly(
  round: Round,
  { intervalMs, log, name = 'unnamed' }: { intervalMs: number; log: Log; name?: string },
): RunningRounds {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async (): Promise<void> => {
    let failures = 0
    while (!signal.aborted) {
      const from = performance.now()
      try {
        await round(signal)
        failures = 0
      } catch (error) {
        failures += 1
        if (isUnavailable(error))
          log.warn({ failures, reason: (error as Error).message }, 'unavailable, trying again')
        else log.error({ failures, err: error }, 'a round failed, trying again')
      }
      measure({
        of: 'round',
        name,
        ok: failures === 0,
        tookMs: performance.now() - from,
        at: systemClock.now(),
      })
      const delayMs = Math.min(intervalMs * 2 ** Math.min(failures, 10), Math.max(intervalMs, MAX_BACKOFF_MS))
      // Rejects when `stop` interrupts it.
      await sleep(delayMs, undefined, { signal }).catch(() => undefined)
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
