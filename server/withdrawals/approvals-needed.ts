import { type Cotton, cotton } from '#game/cotton.ts'

/** A withdrawal above this amount needs two approvals. */
export const MAX_SINGLE_APPROVAL = cotton(100_000)

/** How many operators must approve a withdrawal in review. */
export function approvalsNeeded(amount: Cotton): number {
  return amount > MAX_SINGLE_APPROVAL ? 2 : 1
}
