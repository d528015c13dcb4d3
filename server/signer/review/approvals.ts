import { countApprovals, isApproved } from '#server/operators/count-approvals.ts'
import { rowOf, sql } from '#server/platform/db/db.ts'
import { moveWithdrawal, OPEN_COLUMNS, type OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import { trackFailedWithdrawals } from '../failed-withdrawals.ts'
import type { StepDeps } from '../step-deps.ts'
import { contextOf, type OperatorDeps } from './check-decision.ts'
import { findFailedCheck } from './failed-check.ts'

/** How many withdrawals one round considers. */
const AT_ONCE = 100

const LOWEST_ID = '00000000-0000-0000-0000-000000000000'

/** The round continues with the withdrawals above this id, or with the lowest one. */
export type ApprovalCursor = { from: string | null }

const readApproved = sql({
  name: 'approvals-read-approved',
  params: { now: 'timestamptz', from: 'uuid', limit: 'integer' },
  row: rowOf<OpenWithdrawal>(),
  text: ({ now, from, limit }) => `select ${OPEN_COLUMNS} from withdrawals w
   where w.state = 'review' and w.cancelled_at is null and w.id > ${from} and exists (
     select from operator_acts a
     where a.withdrawal_id = w.id and a.kind = 'approve' and a.state = 'done' and a.expires_at > ${now}
   )
   order by w.id limit ${limit}`,
})

type ApplyApprovalsDeps = Pick<StepDeps, 'db' | 'clock' | 'log'> &
  OperatorDeps & { approvalCursor: ApprovalCursor }

/**
 * Approves withdrawals in review that enough operators have approved by their signatures. An approval overrides the
 * policy, not a failed check: a withdrawal that fails one stays in review. Those that stay are considered in turn, a limited
 * number in each round, so that they do not delay the others.
 */
export async function applyApprovals(deps: ApplyApprovalsDeps): Promise<void> {
  const { db, clock, site, approvalCursor } = deps
  const now = clock.now()
  const context = contextOf(deps)
  const failed = trackFailedWithdrawals(deps)
  const page = await db.rows(readApproved, { now, from: approvalCursor.from ?? LOWEST_ID, limit: AT_ONCE })
  approvalCursor.from = page.length === AT_ONCE ? page.at(-1)!.id : null
  for (const withdrawal of page) {
    const { id } = withdrawal
    await failed.isolate(id, async () => {
      if (!isApproved(await countApprovals(db, context, { withdrawal, now }))) return
      if (await findFailedCheck(db, withdrawal, { site, now })) return
      await moveWithdrawal(db, { id, from: 'review', to: 'approved' })
    })
  }
  failed.end()
}
