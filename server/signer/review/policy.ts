import type { Cotton } from '#game/cotton.ts'
import { type Credit, totalOf } from '#game/credit.ts'
import type { WithdrawalReason } from '#contract/withdrawal-reasons.ts'
import type { Cluster } from '#server/chain/port.ts'
import type { WithdrawalLimits } from '#server/platform/withdrawal-settings.ts'

/** What the signer knows of a withdrawal and its wallet. Counts and sums include the withdrawal itself. */
export type Facts = {
  cluster: Cluster
  requested: Credit
  /** Asked for before the wallet's signature was kept with a withdrawal. */
  unsigned: boolean
  /** Withdrawals of this wallet that have landed. */
  paidBefore: number
  /** Since the first move of the wallet; null where there is none. */
  ageMs: number | null
  /** Whether a deposit of this wallet was ever credited. */
  hasDeposited: boolean
  walletDay: { count: number; sum: Cotton }
  /** What goes out; what waits in review counts for its own wallet only. */
  allWalletsHour: { count: number; sum: Cotton }
  /** Days from the day whose budget it took to the day when it was first looked at; NaN where that is no day. */
  daysLate: number
}

export type Verdict = { state: 'approved' | 'review'; reasons: WithdrawalReason[] }

const HOUR_MS = 60 * 60_000

/** A request that crosses midnight, and two clocks that do not quite agree, are not late. */
const MAX_DAYS_LATE = 1

/** False for what is no number, too: every bound here is written so that NaN is outside of it. */
export const isTimely = (daysLate: number): boolean => Math.abs(daysLate) <= MAX_DAYS_LATE

/**
 * Whether a withdrawal goes out by itself or waits for the operator, and everything that speaks for waiting. On the
 * local chain, where tokens are worth nothing, all go out.
 */
export function applyPolicy(facts: Facts, limits: WithdrawalLimits): Verdict {
  const {
    cluster,
    requested,
    unsigned,
    paidBefore,
    ageMs,
    hasDeposited,
    walletDay,
    allWalletsHour,
    daysLate,
  } = facts
  if (cluster === 'local') return { state: 'approved', reasons: [] }
  const found: [WithdrawalReason, boolean][] = [
    ['unsigned', unsigned],
    ['no_deposit', requested.earned > 0n && !hasDeposited],
    ['late', requested.earned > 0n && !isTimely(daysLate)],
    ['large', !(totalOf(requested) <= limits.reviewAbove)],
    ['first_withdrawal', paidBefore === 0],
    ['new_wallet', ageMs === null || !(ageMs >= limits.newWalletHours * HOUR_MS)],
    ['wallet_pace', isAbove(walletDay, limits.perWalletDay)],
    ['world_pace', isAbove(allWalletsHour, limits.perHour)],
  ]
  const reasons = found.flatMap(([reason, applies]) => (applies ? [reason] : []))
  return { state: reasons.length > 0 ? 'review' : 'approved', reasons }
}

type Pace = { count: number; sum: Cotton }

const isAbove = (pace: Pace, limit: Pace): boolean => !(pace.count <= limit.count && pace.sum <= limit.sum)
