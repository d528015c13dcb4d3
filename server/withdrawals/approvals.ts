import { totalOf } from '#game/credit.ts'
import { type Db, sql, type Tx } from '#server/platform/db/db.ts'
import { isHeld } from './check-hold.ts'
import { isOrdinaryWallet } from './destination.ts'
import { moveWithdrawal, type OpenWithdrawal } from './open-withdrawals.ts'
import { approvalsNeeded } from './policy.ts'

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
  `select w.id::text, w.wallet, w.deposited, w.earned, w.hold_id::text as "holdId", w.state, w.reason, w.day::text,
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
export async function keepApproval(
  tx: Tx,
  { id, who, now }: { id: string; who: string; now: Date },
): Promise<boolean> {
  return (await tx.rows(addApproval, [id, who, now])).length === 1
}

/**
 * Lets go what enough operators have approved. An approval lifts the policy's doubt and nothing else: what the ledger
 * does not hold, or what goes to no ordinary wallet, stays where it is.
 */
export async function heedApprovals({ db }: { db: Db }): Promise<void> {
  for (const withdrawal of await db.rows<OpenWithdrawal & { approvals: number }>(readApproved)) {
    if (withdrawal.approvals < approvalsNeeded(totalOf(withdrawal))) continue
    if (!isOrdinaryWallet(withdrawal.wallet) || !(await isHeld(db, withdrawal))) continue
    await moveWithdrawal(db, { id: withdrawal.id, from: 'review', to: 'approved' })
  }
}
