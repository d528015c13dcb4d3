import { WITHDRAWAL_REASONS } from '#contract/withdrawal-reasons.ts'
import { baseUnits } from '#game/cotton.ts'
import { totalOf } from '#game/credit.ts'
import { firstJournalId } from '#server/ledger/journal-id.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import type { OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import type { Facts } from './policy.ts'
import { dayOf } from '#server/withdrawals/reward-day.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

// A sum that overflows bigint must not block the review of other withdrawals.
const MAX_SUM = 2n ** 62n

// A player can cancel any number of withdrawals. More of one kind need not be counted.
const MAX_RELEASED = 1_000

// A withdrawal counts from its last review, because only the signer writes that time. The hour of all wallets counts
// approved withdrawals only, so that many withdrawals in review do not send others to review.
// A review that is further ahead than the window is long is of a clock that was set back since.
// What was refunded does not count, except for the number of the wallet's day if its player can cause that at will: by
// cancelling, or by closing the token account while the payout is on its way, which costs the treasury a fee. The journals
// show it, because nobody can remove one. The kinds come from a list: if Postgres knows them when it plans, it prefers the index
// of releasing journals, which has no time, and reads all that the wallet has ever cancelled.
// The condition on the amount, which every receipt meets, makes Postgres use the index of deposits by wallet.
const readFacts = sql({
  name: 'signer-read-facts',
  params: {
    id: 'uuid',
    wallet: 'text',
    dayAgo: 'timestamptz',
    dayAhead: 'timestamptz',
    afterId: 'uuid',
    beforeId: 'uuid',
    rejected: 'text',
    hourAgo: 'timestamptz',
    hourAhead: 'timestamptz',
  },
  row: rowOf<Row>(),
  text: ({ id, wallet, dayAgo, dayAhead, afterId, beforeId, rejected, hourAgo, hourAhead }) => `select
     exists (select from withdrawals p where p.wallet = ${wallet} and p.state = 'finalized') as "wasPaid",
     (select j.at from entries e join journals j on j.wallet = e.wallet and j.id = e.journal_id
      where e.wallet = ${wallet} order by e.journal_id limit 1) as "firstMove",
     exists (
       select from receipts r where r.wallet = ${wallet} and r.asset = 'cotton' and r.state = 'credited' and r.amount > 0
     ) as "hasDeposited",
     (select count(*)::int from unnest('{cancellation,refund}'::move_kind[]) as released (kind) cross join lateral (
        select j.id from journals j
        where j.wallet = ${wallet} and j.kind = released.kind and j.id > ${afterId} and j.id < ${beforeId}
          and (released.kind = 'cancellation' or j.detail ->> 'reason' = ${rejected})
        limit ${MAX_RELEASED}
      ) counted) as released,
     day.count as "dayCount", day.sum as "daySum", hour.count as "hourCount", hour.sum as "hourSum"
   from (
     select count(*)::int, least(coalesce(sum(deposited + earned), 0), ${MAX_SUM})::bigint as sum from withdrawals
     where wallet = ${wallet} and judged_at > ${dayAgo} and judged_at < ${dayAhead} and state <> 'refunded' and id <> ${id}
   ) day, (
     select count(*)::int, least(coalesce(sum(deposited + earned), 0), ${MAX_SUM})::bigint as sum from withdrawals
     where judged_at > ${hourAgo} and judged_at < ${hourAhead} and state in ('approved', 'signed', 'sent', 'finalized')
       and id <> ${id}
   ) hour`,
})

type Row = {
  wasPaid: boolean
  /** The driver returns Postgres' infinity as a number. */
  firstMove: Date | number | null
  hasDeposited: boolean
  released: number
  dayCount: number
  daySum: bigint
  hourCount: number
  hourSum: bigint
}

/** Reads the facts about a withdrawal that the policy uses. */
export async function readWithdrawalFacts(
  db: Queryable,
  withdrawal: OpenWithdrawal,
  { cluster, now }: { cluster: Facts['cluster']; now: Date },
): Promise<Facts> {
  const { id, wallet } = withdrawal
  const after = (ms: number): Date => new Date(now.getTime() + ms)
  const day = { dayAgo: after(-DAY_MS), dayAhead: after(DAY_MS) }
  const ids = { afterId: firstJournalId(day.dayAgo), beforeId: firstJournalId(day.dayAhead) }
  const hour = { hourAgo: after(-HOUR_MS), hourAhead: after(HOUR_MS) }
  const rejected = WITHDRAWAL_REASONS.payout_failed
  const [row] = await db.rows(readFacts, { id, wallet, ...day, ...ids, rejected, ...hour })
  const { wasPaid, firstMove, hasDeposited, released, dayCount, daySum, hourCount, hourSum } = row!
  const amount = totalOf(withdrawal)
  return {
    cluster,
    requested: withdrawal,
    wasPaid,
    ageMs: firstMove instanceof Date ? now.getTime() - firstMove.getTime() : null,
    hasDeposited,
    walletDay: { count: dayCount + released + 1, sum: baseUnits(daySum + amount) },
    allWalletsHour: { count: hourCount + 1, sum: baseUnits(hourSum + amount) },
    daysLate: daysBetween(withdrawal.day, now),
  }
}

/** Whole UTC days from `day` to the day of `now`; NaN if `day` is not a calendar day, for example `infinity`. */
export function daysBetween(day: string, now: Date): number {
  const days = (Date.parse(dayOf(now)) - Date.parse(day)) / DAY_MS
  return Number.isInteger(days) ? days : Number.NaN
}
