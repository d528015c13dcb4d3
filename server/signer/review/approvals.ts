import { totalOf } from '#game/credit.ts'
import { type Queryable, sql, type Tx } from '#server/platform/db/db.ts'
import { findFailedCheck } from './failed-check.ts'
import { moveWithdrawal, OPEN_COLUMNS, type OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import { approvalsNeeded } from '#server/withdrawals/approvals-needed.ts'
import type { Signer } from '../signer.ts'

const readApprovers = sql(
  'approvals-read',
  'select who from approvals where withdrawal_id = $1 order by at, who',
)

const addApproval = sql(
  'approvals-add',
  'insert into approvals (withdrawal_id, who, at) values ($1, $2, $3) on conflict do nothing returning who',
)

const readApproved = sql(
  'approvals-read-approved',
  `select ${OPEN_COLUMNS},
     (select count(*) from approvals a where a.withdrawal_id = w.id)::int as approvals
   from withdrawals w
   where w.state = 'review' and exists (select from approvals a where a.withdrawal_id = w.id)
   order by w.requested_at, w.id`,
)

/** Who has approved a withdrawal, in their order. */
export async function readApprovals(tx: Tx, id: string): Promise<string[]> {
  return (await tx.rows<{ who: string }>(readApprovers, [id])).map((row) => row.who)
}

/** Keeps an approval; false where this operator had given it before. Only the owner of the database may. */
export async function recordApproval(
  tx: Queryable,
  { id, who, now }: { id: string; who: string; now: Date },
): Promise<boolean> {
  return (await tx.rows(addApproval, [id, who, now])).length === 1
}

/**
 * Lets go what enough operators have approved. An approval lifts the policy's doubt and nothing else: what the ledger
 * does not bear out stays where it is.
 */
export async function applyApprovals({
  db,
  clock,
  site,
}: Pick<Signer, 'db' | 'clock' | 'site'>): Promise<void> {
  for (const withdrawal of await db.rows<OpenWithdrawal & { approvals: number }>(readApproved)) {
    if (withdrawal.approvals < approvalsNeeded(totalOf(withdrawal))) continue
    if (await findFailedCheck(db, withdrawal, { site, now: clock.now() })) continue
    await moveWithdrawal(db, { id: withdrawal.id, from: 'review', to: 'approved' })
  }
}
