import { type Cotton, cotton } from '#game/cotton.ts'

/** More than this in one withdrawal goes out only when two operators have approved it. */
export const MAX_SINGLE_APPROVAL = cotton(100_000)

/** How many operators must approve a withdrawal that waits for them. */
export function approvalsNeeded(amount: Cotton): number {
  return amount > MAX_SINGLE_APPROVAL ? 2 : 1
}
