import { baseUnits } from '#game/cotton.ts'
import type { Accrual } from '#game/workers.ts'

/** The columns of a worker from which the game computes what it has generated. */
export type AccrualRow = { base: bigint; rate_per_hour: number; since: Date; claimed: bigint }

/** A worker's row as the rules of the game take it. */
export const accrualOf = (row: AccrualRow): Accrual => ({
  base: baseUnits(row.base),
  ratePerHour: row.rate_per_hour,
  since: row.since,
  claimed: baseUnits(row.claimed),
})
