import type { Clock } from '#server/platform/clock.ts'
import { type Queryable, sql } from '#server/platform/db/db.ts'
import { readCreditSupply, type CreditSupply } from './read-credit-supply.ts'

/** What flows, as totals since the beginning. */
export type Flows = Pick<CreditSupply, 'emitted' | 'burned' | 'spent'>

const BETWEEN_MS = 10 * 60_000
const DAY_MS = 24 * 60 * 60_000

const readNewest = sql('credit-supply-read-newest', 'select max(at) as at from supply_history')

const insertSupply = sql(
  'credit-supply-insert',
  'insert into supply_history (at, emitted, burned, spent) values ($1, $2, $3, $4) on conflict do nothing',
)

// The newest of a day ago or older; in the first day there is none, and the beginning counts as zero.
const readDayAgo = sql(
  'credit-supply-read-day-ago',
  'select at, emitted, burned, spent from supply_history where at <= $1 order by at desc limit 1',
)

/** Writes the totals down every ten minutes, so that what a day brought can be told. */
export async function recordCreditSupply({ db, clock }: { db: Queryable; clock: Clock }): Promise<void> {
  const now = clock.now()
  const [newest] = await db.rows<{ at: Date | null }>(readNewest)
  if (newest?.at && now.getTime() - newest.at.getTime() < BETWEEN_MS) return
  const { emitted, burned, spent } = await readCreditSupply(db)
  await db.rows(insertSupply, [now, emitted, burned, spent])
}

/** The totals of a day ago, or of the moment before it that was written down. */
export async function readFlowsDayAgo(db: Queryable, now: Date): Promise<Flows> {
  const [row] = await db.rows<Flows>(readDayAgo, [new Date(now.getTime() - DAY_MS)])
  return row ?? { emitted: 0n, burned: 0n, spent: 0n }
}
