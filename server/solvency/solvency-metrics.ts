import { Gauge, type Registry } from 'prom-client'
import { COTTON_DECIMALS } from '#game/cotton.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import { readPause } from '#server/withdrawals/withdrawal-pause.ts'
import { type ReserveSnapshot, readSnapshot } from './reserve-snapshot.ts'

/**
 * Figures to be woken up by: tokens beyond what is owed (below zero: missing), how old the last look is, and whether
 * withdrawals are paused. NaN where nobody knows, which an alarm on a bound must treat as beyond it.
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
      'Tokens of the game less what it owes, $COTTON',
      ofSnapshot(({ surplus }) => Number(surplus) / 10 ** COTTON_DECIMALS),
    )
    gauge(
      'solvency_age_seconds',
      'Time since the reserve was looked at',
      ofSnapshot(({ at }) => (clock.now().getTime() - at.getTime()) / 1_000),
    )
    gauge(
      'solvency_breached',
      '1 while tokens are missing for certain',
      ofSnapshot(({ confirmed }) => Number(confirmed)),
    )
    gauge('withdrawals_paused', '1 while withdrawals are kept back', async () =>
      Number((await readPause(db)) !== null),
    )
  }
}
