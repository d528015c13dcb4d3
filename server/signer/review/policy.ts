import type { Cotton } from '#game/cotton.ts'
import { type Credit, totalOf } from '#game/credit.ts'
import type { WithdrawalReason } from '#contract/withdrawal-reasons.ts'
import type { Cluster } from '#server/chain/port.ts'
import type { WithdrawalLimits } from '#server/platform/withdrawal-settings.ts'

/** What the policy uses about a withdrawal and its wallet. Counts and sums include the withdrawal itself. */
export type Facts = {
  cluster: Cluster
  requested: Credit
  /** True if a withdrawal of this wallet was ever paid. */
  wasPaid: boolean
  /** Time since the wallet's first journal; null if it has none. */
  ageMs: number | null
  /** True if a deposit of this wallet was ever credited. */
  hasDeposited: boolean
  /** The number includes what the player has cancelled and what the chain has rejected. */
  walletDay: { count: number; sum: Cotton }
  /** Approved withdrawals only. A withdrawal in review counts only for its own wallet. */
  allWalletsHour: { count: number; sum: Cotton }
  /** Days from the day whose budget it uses to the day of this review; NaN if the former is not a day. */
  daysLate: number
}

export type Verdict = { state: 'approved' | 'review'; reasons: WithdrawalReason[] }

const HOUR_MS = 60 * 60_000

/** Allows for a request that crosses midnight and for a small clock difference. */
const MAX_DAYS_LATE = 1

/** False for NaN. Every bound here is written so that NaN violates it. */
export const isTimely = (daysLate: number): boolean => Math.abs(daysLate) <= MAX_DAYS_LATE

/**
 * Whether a withdrawal is approved automatically or waits for the operator, with all reasons for waiting. On the local
 * chain, where tokens are worth nothing, every withdrawal is approved.
 */
export function applyPolicy(facts: Facts, limits: WithdrawalLimits): Verdict {
  const { cluster, requested, wasPaid, ageMs, hasDeposited, walletDay, allWalletsHour, daysLate } = facts
  if (cluster === 'local') return { state: 'approved', reasons: [] }
  const found: [WithdrawalReason, boolean][] = [
    ['no_deposit', requested.earned > 0n && !hasDeposited],
    ['late', requested.earned > 0n && !isTimely(daysLate)],
    ['large', !(totalOf(requested) <= limits.reviewAbove)],
    ['first_withdrawal', !wasPaid],
    ['new_wallet', ageMs === null || !(ageMs >= limits.newWalletHours * HOUR_MS)],
    ['wallet_pace', isAbove(walletDay, limits.perWalletDay)],
    ['world_pace', isAbove(allWalletsHour, limits.perHour)],
  ]
  const reasons = found.flatMap(([reason, applies]) => (applies ? [reason] : []))
  return { state: reasons.length > 0 ? 'review' : 'approved', reasons }
}

type Pace = { count: number; sum: Cotton }

const isAbove = (pace: Pace, limit: Pace): boolean => !(pace.count <= limit.count && pace.sum <= limit.sum)
