import type { listWithdrawals } from '#contract/console/withdrawals.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import type { ItemOf } from '../../api/queries.ts'

type Withdrawal = Pick<ItemOf<typeof listWithdrawals>, 'state' | 'needed' | 'approvals'>

/**
 * How many approvals a withdrawal has of those that it needs; a dash where that decides nothing. Most are approved by the
 * policy and need none, and the approvals of a signed one may have expired since.
 */
export function approvalsText({ state, needed, approvals }: Withdrawal): string {
  const counts = state === 'review' || (state === 'approved' && approvals.length > 0)
  return counts ? pageMessages.withdrawals.approvalsOf(approvals.length, needed) : '–'
}
