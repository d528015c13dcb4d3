import { totalOf } from '#game/credit.ts'
import { type Queryable, rowOf, sql, type Tx } from '#server/platform/db/db.ts'
import { findFailedCheck } from './failed-check.ts'
import { moveWithdrawal, OPEN_COLUMNS, type OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import { approvalsNeeded } from '#server/withdrawals/approvals-needed.ts'
import type { Site } from '#server/platform/site.ts'
import type { StepDeps } from '../step-deps.ts'

const readApprovers = sql({
  name: 'approvals-read',
  params: { id: 'uuid' },
  row: rowOf<{ who: string }>(),
  text: ({ id }) => `select who from approvals where withdrawal_id = ${id} order by at, who`,
})

const addApproval = sql({
  name: 'approvals-add',
  params: { id: 'uuid', who: 'text', at: 'timestamptz' },
  text: ({ id, who, at }) => `insert into approvals (withdrawal_id, who, at) values (${id}, ${who}, ${at})
    on conflict do nothing returning who`,
})

const readApproved = sql({
  name: 'approvals-read-approved',
  row: rowOf<OpenWithdrawal & { approvals: number }>(),
  text: `select ${OPEN_COLUMNS},
     (select count(*) from approvals a where a.withdrawal_id = w.id)::int as approvals
   from withdrawals w
   where w.state = 'review' and w.cancelled_at is null and exists (select from approvals a where a.withdrawal_id = w.id)
   order by w.requested_at, w.id`,
})

/** The operators who approved a withdrawal, oldest approval first. */
export async function readApprovals(tx: Tx, id: string): Promise<string[]> {
  return (await tx.rows(readApprovers, { id })).map((row) => row.who)
}

/** Records an approval; false if this operator already approved. Requires the login of the database owner. */
export async function recordApproval(
  db: Queryable,
  { id, who, now }: { id: string; who: string; now: Date },
): Promise<boolean> {
  return (await db.rows(addApproval, { id, who, at: now })).length === 1
}

/**
 * Approves withdrawals in review that have enough approvals. An approval overrides the policy, not a failed check: a
 * withdrawal that fails one stays in review.
 */
export async function applyApprovals({
  db,
  clock,
  site,
}: Pick<StepDeps, 'db' | 'clock'> & { site: Site }): Promise<void> {
  for (const withdrawal of await db.rows(readApproved)) {
    if (withdrawal.approvals < approvalsNeeded(totalOf(withdrawal))) continue
    if (await findFailedCheck(db, withdrawal, { site, now: clock.now() })) continue
    await moveWithdrawal(db, { id: withdrawal.id, from: 'review', to: 'approved' })
  }
}
