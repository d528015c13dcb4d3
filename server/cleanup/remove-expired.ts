import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { type RunningRounds, startRounds } from '#server/platform/run-rounds.ts'
import { EXPIRING_ROWS, type ExpiringRows } from './expiring-rows.ts'

const ROUND_INTERVAL_MS = 60_000

/** Each step is a short transaction, so that cleanup never blocks players for long. */
const ROWS_PER_STEP = 1_000
const STEP_PAUSE_MS = 50

// One api process removes at a time. The number of the lock is arbitrary but unique.
const tryCleanupLock = sql({
  name: 'cleanup-lock',
  row: rowOf<{ locked: boolean; now: Date }>(),
  text: 'select pg_try_advisory_xact_lock(4032019) as locked, now() as now',
})

type CleanupDeps = { db: Db; clock: Clock; log: Log }

/** Removes all expired rows in small steps. Returns early when `stopping` aborts. */
export async function removeExpired(
  deps: CleanupDeps,
  { stopping, rowsPerStep = ROWS_PER_STEP }: { stopping: AbortSignal; rowsPerStep?: number },
): Promise<void> {
  for (const rows of EXPIRING_ROWS) {
    let removed = 0
    for (;;) {
      const step = await removeSome(deps, rows, rowsPerStep)
      removed += step
      if (step < rowsPerStep || stopping.aborted) break
      // Rejects when `stopping` aborts.
      await sleep(STEP_PAUSE_MS, undefined, { signal: stopping }).catch(() => undefined)
    }
    if (removed > 0) deps.log.info({ removed }, `removed expired rows: ${rows.name}`)
    if (stopping.aborted) return
  }
}

function removeSome({ db, clock }: CleanupDeps, { lifetimeMs, remove }: ExpiringRows, maxRows: number) {
  return db.transaction(async (tx) => {
    const [lock] = await tx.rows(tryCleanupLock)
    if (!lock!.locked) return 0
    // An api whose clock is ahead must not remove what the others still need.
    const now = Math.min(clock.now().getTime(), lock!.now.getTime())
    const before = new Date(now - lifetimeMs)
    const [step] = await tx.rows(remove, { before, limit: maxRows })
    return step!.removed
  })
}

/**
 * The clock of the machine, but no faster than the time that really passes. If that clock is set ahead by a mistake, rows are
 * not removed while players may still need them.
 */
export function steadyClock(clock: Clock): Clock {
  const offset = clock.now().getTime() - performance.now()
  return { now: () => new Date(Math.min(clock.now().getTime(), offset + performance.now())) }
}

/** Removes expired rows in the api process, on a connection of its own. */
export function startCleanup({ databaseUrl: url }: Config, log: Log): Promise<RunningRounds> {
  return startRounds({ url, max: 1, applicationName: 'cotton-cleanup', log }, async (db) => {
    const deps = { db, clock: steadyClock(systemClock), log }
    return { round: (stopping) => removeExpired(deps, { stopping }), intervalMs: ROUND_INTERVAL_MS }
  })
}
