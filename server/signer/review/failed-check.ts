import type { WithdrawalReason } from '#contract/withdrawal-reasons.ts'
import type { Queryable } from '#server/platform/db/db.ts'
import { readFreeze } from '#server/freeze/freeze-wallet.ts'
import type { Site } from '#server/platform/site.ts'
import { isHeld, isReleased } from './check-hold.ts'
import { isSigned } from './check-signature.ts'
import { balancesAgree } from './compare-balances.ts'
import { isOrdinaryWallet } from './ordinary-wallet.ts'
import type { OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import { isTimely } from './policy.ts'
import { daysBetween } from './read-facts.ts'
import { fitsDayBudget } from './reward-bounds.ts'

/** Checks that no approval overrides. */
export const FAILED_CHECKS = [
  'invalid_day',
  'not_held',
  'not_a_wallet',
  'not_signed',
  'books_differ',
  'over_budget',
  'frozen',
] as const

export type FailedCheck = (typeof FAILED_CHECKS)[number] & WithdrawalReason

/** The log message of each failed check. */
export const FAILED_CHECK_MESSAGES: Record<FailedCheck, string> = {
  invalid_day: 'the day of this withdrawal is not a calendar day',
  not_held: 'the ledger does not hold the amount of this withdrawal',
  not_a_wallet: 'the recipient of this withdrawal is not an ordinary wallet',
  not_signed: 'the wallet has not signed this withdrawal for this site',
  books_differ: 'the balances of this wallet differ from its entries',
  over_budget: 'this withdrawal exceeds the budget of its day',
  frozen: 'the wallet of this withdrawal is frozen',
}

/**
 * The first check that forbids paying a withdrawal, even if an operator approves it; null if none does. It uses the ledger's
 * entries, the wallet's signature and the signer's own bounds. Called at review, at approval and again at signing.
 */
export async function findFailedCheck(
  db: Queryable,
  withdrawal: OpenWithdrawal,
  { site, now }: { site: Site; now: Date },
): Promise<FailedCheck | null> {
  const daysLate = daysBetween(withdrawal.day, withdrawal.judgedAt ?? now)
  if (!Number.isInteger(daysLate)) return 'invalid_day'
  if (!(await isHeld(db, withdrawal)) || (await isReleased(db, withdrawal))) return 'not_held'
  if (!isOrdinaryWallet(withdrawal.wallet)) return 'not_a_wallet'
  if (!(await isSigned(site, withdrawal))) return 'not_signed'
  if (!(await balancesAgree(db, withdrawal.wallet))) return 'books_differ'
  // A day further away has no reliable bound; the policy sends the withdrawal to review.
  if (isTimely(daysLate) && !(await fitsDayBudget(db, withdrawal))) return 'over_budget'
  return (await readFreeze(db, withdrawal.wallet)) ? 'frozen' : null
}
