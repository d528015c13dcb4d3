import { systemClock } from '#server/platform/clock.ts'
import type { Queryable } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { type RunningRounds, runRepeatedly } from '#server/platform/run-rounds.ts'
import { openTracing } from '#server/platform/tracing/tracing.ts'
import { createPayoutTraceRound } from './trace-payouts.ts'

const INTERVAL_MS = 2_000

/** Sends the signer's spans, if the variables `OTEL_*` ask for traces. */
export async function startTraces(db: Queryable, log: Log): Promise<RunningRounds> {
  const tracing = await openTracing('cotton-farm-signer', process.env)
  if (!tracing) return { stop: async () => {} }
  const round = createPayoutTraceRound({ db, clock: systemClock, tracing })
  const running = runRepeatedly(round, { intervalMs: INTERVAL_MS, log, name: 'traces' })
  return {
    async stop() {
      await running.stop()
      await tracing.stop()
    },
  }
}
