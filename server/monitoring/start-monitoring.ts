import { systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { openDb, readDatabaseState } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { runRepeatedly } from '#server/platform/run-rounds.ts'
import { serveMetrics } from '#server/platform/metrics/serve-metrics.ts'
import { readSignerState } from '#server/signer/signer-state.ts'
import { addMoneyMetrics } from './money-metrics.ts'
import { createHoursRound } from './record-hours.ts'
import { startAlerts } from './start-alerts.ts'
import { startTraces } from './start-traces.ts'

const HOURS_INTERVAL_MS = 60_000

/** Serves the metrics of the watcher and of the money, posts alerts, records what each hour brought, and sends the signer's spans. */
export async function startMonitoring(config: Config, log: Log): Promise<{ stop(): Promise<void> }> {
  const db = openDb(config.databaseUrl, { max: 2, applicationName: 'monitoring' })
  const deps = { db, clock: systemClock }
  const metrics = await serveMetrics({
    ...config,
    role: 'watcher',
    async isReady() {
      const database = await readDatabaseState(db)
      if (database !== 'ok') return { ready: false, facts: { database } }
      const signer = await readSignerState(db, systemClock.now())
      return {
        ready: true,
        // The signer accepts no connections. Whoever checks its health asks here.
        facts: { database, signer: signer === null || signer.silent ? 'silent' : signer.stage },
      }
    },
    addMetrics: (added) => addMoneyMetrics(added, deps),
  })
  const alerts = startAlerts(config, { ...deps, log })
  const traces = await startTraces(db, log)
  const recordHours = createHoursRound(deps)
  const recordAll = async () => void (await recordHours())
  const hours = runRepeatedly(recordAll, { intervalMs: HOURS_INTERVAL_MS, log, name: 'hours' })
  return {
    async stop() {
      await Promise.all([alerts.stop(), traces.stop(), hours.stop()])
      await metrics.stop()
      await db.end()
    },
  }
}
