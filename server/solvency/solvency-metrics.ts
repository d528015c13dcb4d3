import { Gauge, type Registry } from 'prom-client'
import { COTTON_DECIMALS } from '#game/cotton.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import { readPause } from '#server/withdrawals/withdrawal-pause.ts'
import { type ReserveSnapshot, readSnapshot } from './reserve-snapshot.ts'

/**
 * Metrics for alerts: the surplus (negative if tokens are missing), the age of the last reserve snapshot, and whether
 * withdrawals are paused. Unknown values are NaN; an alert on a threshold must treat NaN as a breach.
 */
export function solvencyMetrics({ db, clock }: { db: Db; clock: Clock }): (registry: Registry) => void {
  const ofSnapshot = (figure: (snapshot: ReserveSnapshot) => number) => async (): Promise<number> => {
    const snapshot = await readSnapshot(db)
    return snapshot ? figure(snapshot) : Number.NaN
  }
  return (registry) => {
    const gauge = (name: string, help: string, read: () => Promise<number>): void => {
      void new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read().catch(() => Number.NaN))
        },
      })
    }
    gauge(
      'solvency_surplus_cotton',
      'Tokens of the game minus what it owes, in $COTTON',
      ofSnapshot(({ surplus }) => Number(surplus) / 10 ** COTTON_DECIMALS),
    )
    gauge(
      'solvency_age_seconds',
      'Age of the last reserve snapshot',
      ofSnapshot(({ at }) => (clock.now().getTime() - at.getTime()) / 1_000),
    )
    gauge(
      'solvency_breached',
      '1 while a shortage is confirmed',
      ofSnapshot(({ confirmed }) => Number(confirmed)),
    )
    gauge('withdrawals_paused', '1 while withdrawals are paused', async () =>
      Number((await readPause(db)) !== null),
    )
  }
}
