import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { type Db, sql } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { type RunningRounds, startRounds } from '#server/platform/run-rounds.ts'
import { EXPIRING_ROWS, type ExpiringRows } from './expiring-rows.ts'

/** Between two rounds. */
const ROUND_INTERVAL_MS = 60_000

/** One step is a short transaction, and after each one others have their turn. */
const ROWS_PER_STEP = 1_000
const STEP_PAUSE_MS = 50

// Of several api processes one removes at a time. The number only has to be its own.
const tryCleanupLock = sql('cleanup-lock', 'select pg_try_advisory_xact_lock(4032019) as alone')

type CleanupDeps = { db: Db; clock: Clock; log: Log }

/** Removes what has expired, in small steps, until nothing is left of it. Ends early when it is stopped. */
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
      // It rejects where it is cut off by the stop.
      await sleep(STEP_PAUSE_MS, undefined, { signal: stopping }).catch(() => undefined)
    }
    if (removed > 0) deps.log.info({ removed }, `removed expired rows: ${rows.name}`)
    if (stopping.aborted) return
  }
}

function removeSome({ db, clock }: CleanupDeps, { lifetimeMs, remove }: ExpiringRows, maxRows: number) {
  return db.transaction(async (tx) => {
    const [lock] = await tx.rows<{ alone: boolean }>(tryCleanupLock)
    if (!lock!.alone) return 0
    const until = new Date(clock.now().getTime() - lifetimeMs)
    const [step] = await tx.rows<{ removed: number }>(remove, [until, maxRows])
    return step!.removed
  })
}

/** Removes expired rows beside the api, over a connection of its own. */
export function startCleanup({ databaseUrl: url }: Config, log: Log): Promise<RunningRounds> {
  return startRounds({ url, max: 1, applicationName: 'cotton-cleanup', log }, async (db) => {
    const deps = { db, clock: systemClock, log }
    return { round: (stopping) => removeExpired(deps, { stopping }), intervalMs: ROUND_INTERVAL_MS }
  })
}
