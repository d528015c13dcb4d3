import { countApprovals, isApproved } from '#server/operators/count-approvals.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { moveWithdrawal, OPEN_COLUMNS, type OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import { trackFailedWithdrawals } from '../failed-withdrawals.ts'
import type { StepDeps } from '../step-deps.ts'
import { contextOf, type OperatorDeps } from './check-decision.ts'
import { findFailedCheck } from './failed-check.ts'

const readApproved = sql({
  name: 'approvals-read-approved',
  params: { now: 'timestamptz' },
  row: rowOf<OpenWithdrawal>(),
  text: ({ now }) => `select ${OPEN_COLUMNS} from withdrawals w
   where w.state = 'review' and w.cancelled_at is null and exists (
     select from operator_acts a
     where a.withdrawal_id = w.id and a.kind = 'approve' and a.state = 'done' and a.expires_at > ${now}
   )
   order by w.requested_at, w.id`,
})

/**
 * Approves withdrawals in review that enough operators have approved by their signatures. An approval overrides the
 * policy, not a failed check: a withdrawal that fails one stays in review.
 */
export async function applyApprovals(
  deps: Pick<StepDeps, 'db' | 'clock' | 'log'> & OperatorDeps,
): Promise<void> {
  const { db, clock, site } = deps
  const now = clock.now()
  const context = contextOf(deps)
  const failed = trackFailedWithdrawals(deps)
  for (const withdrawal of await db.rows(readApproved, { now })) {
    const { id } = withdrawal
    await failed.isolate(id, async () => {
      if (!isApproved(await countApprovals(db, context, { withdrawal, now }))) return
      if (await findFailedCheck(db, withdrawal, { site, now })) return
      await moveWithdrawal(db, { id, from: 'review', to: 'approved' })
    })
  }
  failed.end()
}
