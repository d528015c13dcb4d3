import { type Cotton, cotton } from '#game/cotton.ts'
import type { Cluster } from '#server/chain/port.ts'

/** Where tokens are worth something, more than this in one withdrawal waits for the operator. */
export const LARGEST_UNSEEN = cotton(10_000)

/** More than this in one withdrawal goes out only when two operators have approved it. */
export const LARGEST_BY_ONE = cotton(100_000)

/** How many operators must approve a withdrawal that waits for them. */
export function approvalsNeeded(amount: Cotton): number {
  return amount > LARGEST_BY_ONE ? 2 : 1
}

export type Verdict = { state: 'approved' | 'review'; reason: string | null }

/** Whether a withdrawal goes out by itself or waits for the operator; the reason is what the player reads. */
export function judge({ cluster, amount }: { cluster: Cluster; amount: Cotton }): Verdict {
  if (cluster === 'local' || amount <= LARGEST_UNSEEN) return { state: 'approved', reason: null }
  return { state: 'review', reason: 'Larger withdrawals are looked at by the operator first.' }
}
