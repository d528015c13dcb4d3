import type { listWithdrawals } from '#contract/console/withdrawals.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import type { ItemOf } from '../../api/queries.ts'

type Withdrawal = Pick<ItemOf<typeof listWithdrawals>, 'state' | 'cancelledAt'>

/** A signed transaction can land at any time. Before, the signer still refunds a withdrawal. */
const UNSIGNED: readonly Withdrawal['state'][] = ['requested', 'review', 'approved']

/** Why a withdrawal can be neither approved nor rejected; null for what is possible. */
export function decisionRefusals({ state, cancelledAt }: Withdrawal): {
  approve: string | null
  reject: string | null
} {
  const text = pageMessages.withdrawal
  const name = pageMessages.withdrawals.states[state]
  const inReview = cancelledAt === null ? null : text.isCancelled
  return {
    approve: state === 'review' ? inReview : text.notApprovable(name),
    reject: UNSIGNED.includes(state) ? null : text.notRejectable(name),
  }
}
