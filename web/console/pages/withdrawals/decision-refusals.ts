import type { listWithdrawals } from '#contract/console/withdrawals.ts'
import { pageMessages } from '#web/messages/en-console-pages.ts'
import type { ItemOf } from '../../api/queries.ts'

type State = ItemOf<typeof listWithdrawals>['state']

/** A signed transaction can land at any time. Before, the signer still refunds a withdrawal. */
const UNSIGNED: readonly State[] = ['requested', 'review', 'approved']

/** Why a withdrawal in this state can be neither approved nor rejected; null for what is possible. */
export function decisionRefusals(state: State): { approve: string | null; reject: string | null } {
  const text = pageMessages.withdrawal
  const name = pageMessages.withdrawals.states[state]
  return {
    approve: state === 'review' ? null : text.notApprovable(name),
    reject: UNSIGNED.includes(state) ? null : text.notRejectable(name),
  }
}
