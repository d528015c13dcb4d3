import { baseUnits } from '#game/cotton.ts'
import { totalOf } from '#game/credit.ts'
import { type Queryable, sql } from '#server/platform/db/db.ts'
import type { OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import type { Facts } from './policy.ts'
import { dayOf } from '#server/withdrawals/reward-day.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

// Rows that add up to more than a bigint must not stop the judging of others.
const MAX_SUM = 2n ** 62n

// When a withdrawal counts is when the signer first looked at it: only the signer writes that. The world's hour counts
// what goes out; what waits in review, of however many, sends nobody else there.
const readFacts = sql(
  'signer-read-facts',
  `select
     (select count(*) from withdrawals p where p.wallet = $2 and p.state = 'finalized')::int as "paidBefore",
     (select j.at from entries e join journals j on j.id = e.journal_id
      where e.wallet = $2 order by e.journal_id limit 1) as "firstMove",
     exists (select from receipts r where r.wallet = $2 and r.asset = 'cotton' and r.state = 'credited') as "hasDeposited",
     day.count as "dayCount", day.sum as "daySum", hour.count as "hourCount", hour.sum as "hourSum"
   from (
     select count(*)::int, least(coalesce(sum(deposited + earned), 0), ${MAX_SUM})::bigint as sum from withdrawals
     where wallet = $2 and judged_at > $3 and state <> 'refunded' and id <> $1
   ) day, (
     select count(*)::int, least(coalesce(sum(deposited + earned), 0), ${MAX_SUM})::bigint as sum from withdrawals
     where judged_at > $4 and state in ('approved', 'signed', 'sent', 'finalized') and id <> $1
   ) hour`,
)

type Row = {
  paidBefore: number
  /** Postgres' infinity comes as a number. */
  firstMove: Date | number | null
  hasDeposited: boolean
  dayCount: number
  daySum: bigint
  hourCount: number
  hourSum: bigint
}

/** What the policy asks about a withdrawal, counted from the rows of ledger and withdrawals. */
export async function readWithdrawalFacts(
  tx: Queryable,
  withdrawal: OpenWithdrawal,
  { cluster, now }: { cluster: Facts['cluster']; now: Date },
): Promise<Facts> {
  const { id, wallet } = withdrawal
  const [dayAgo, hourAgo] = [new Date(now.getTime() - DAY_MS), new Date(now.getTime() - HOUR_MS)]
  const [row] = await tx.rows<Row>(readFacts, [id, wallet, dayAgo, hourAgo])
  const { paidBefore, firstMove, hasDeposited, dayCount, daySum, hourCount, hourSum } = row!
  const amount = totalOf(withdrawal)
  return {
    cluster,
    requested: withdrawal,
    unsigned: withdrawal.beforeSignatures,
    paidBefore,
    ageMs: firstMove instanceof Date ? now.getTime() - firstMove.getTime() : null,
    hasDeposited,
    walletDay: { count: dayCount + 1, sum: baseUnits(daySum + amount) },
    allWalletsHour: { count: hourCount + 1, sum: baseUnits(hourSum + amount) },
    daysLate: daysBetween(withdrawal.day, now),
  }
}

/** Whole UTC days from `day` to the day of `now`; NaN where `day` is no day of the calendar, as `infinity` is none. */
export function daysBetween(day: string, now: Date): number {
  const days = (Date.parse(dayOf(now)) - Date.parse(day)) / DAY_MS
  return Number.isInteger(days) ? days : Number.NaN
}
