import type { WithdrawalReason } from '#contract/withdrawal-reasons.ts'
import { type Queryable, sql } from '#server/platform/db/db.ts'
import type { Site } from '#server/platform/site.ts'
import { isHeld } from './check-hold.ts'
import { isSigned } from './check-signature.ts'
import { isOrdinaryWallet } from './ordinary-wallet.ts'
import type { OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import { isTimely } from './policy.ts'
import { daysBetween } from './read-facts.ts'
import { fitsDayBudget } from './reward-bounds.ts'

const compareBalances = sql(
  'signer-compare-balances',
  `select from accounts a left join (
     select account::text as class, sum(amount) as total, count(*) as lines, max(version) as newest
     from entries where wallet = $1 and version is not null group by account
   ) e on e.class = a.class::text
   where a.wallet = $1
     and (a.balance <> coalesce(e.total, 0) or a.version <> coalesce(e.lines, 0) or a.version <> coalesce(e.newest, 0))`,
)

/** Doubts that no approval lifts. */
export const FAILED_CHECKS = [
  'invalid_day',
  'not_held',
  'not_a_wallet',
  'not_signed',
  'books_differ',
  'over_budget',
] as const

export type FailedCheck = (typeof FAILED_CHECKS)[number] & WithdrawalReason

/** Each in words for the log. */
export const FAILED_CHECK_MESSAGES: Record<FailedCheck, string> = {
  invalid_day: 'the day of this withdrawal is no day of the calendar',
  not_held: 'the ledger does not hold what this withdrawal asks for',
  not_a_wallet: 'this withdrawal goes to no ordinary wallet',
  not_signed: 'the wallet has not signed for this withdrawal at this game',
  books_differ: 'the balances of this wallet are not what its entries say',
  over_budget: 'this withdrawal is above what the pool gives on its day',
}

/**
 * What forbids to pay a withdrawal whoever approves it, found from the ledger's entries, the wallet's own signature and the
 * signer's own notes; null where nothing does. Asked when it is judged, when it is approved and again when it is signed.
 */
export async function findFailedCheck(
  tx: Queryable,
  withdrawal: OpenWithdrawal,
  { site, now }: { site: Site; now: Date },
): Promise<FailedCheck | null> {
  const daysLate = daysBetween(withdrawal.day, withdrawal.judgedAt ?? now)
  if (!Number.isInteger(daysLate)) return 'invalid_day'
  if (!(await isHeld(tx, withdrawal))) return 'not_held'
  if (!isOrdinaryWallet(withdrawal.wallet)) return 'not_a_wallet'
  if (!(await isSigned(site, withdrawal))) return 'not_signed'
  if ((await tx.rows(compareBalances, [withdrawal.wallet])).length > 0) return 'books_differ'
  // A day long past has no bound of its own any more: the policy sends it to a person.
  if (isTimely(daysLate) && !(await fitsDayBudget(tx, withdrawal))) return 'over_budget'
  return null
}
