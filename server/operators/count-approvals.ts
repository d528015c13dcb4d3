import { toUnits } from '#contract/console/acts.ts'
import { type Credit, totalOf } from '#game/credit.ts'
import type { Queryable } from '#server/platform/db/db.ts'
import { readStoredApprovals } from './operator-acts.ts'
import { type Operator, quorumOf } from './read-operators.ts'
import { type ActContext, verifyAct } from './verify-act.ts'

/** What an approval is for. An approval of another wallet or amount does not count. */
export type Approvable = Credit & { id: string; wallet: string }

/** The operators whose approvals count now, each once, and how many are needed. */
export type Approvals = { by: Operator[]; needed: number }

/** Verifies the approvals of a withdrawal and counts the operators who gave one that is valid at `now`. */
export async function countApprovals(
  db: Queryable,
  context: ActContext,
  { withdrawal, now }: { withdrawal: Approvable; now: Date },
): Promise<Approvals> {
  const amount = totalOf(withdrawal)
  const by = new Map<string, Operator>()
  for (const stored of await readStoredApprovals(db, { id: withdrawal.id, now })) {
    const { act, operator } = await verifyAct(context, stored, now)
    if (operator === null || act.kind !== 'approve' || act.withdrawalId !== withdrawal.id) continue
    if (act.wallet !== withdrawal.wallet || toUnits(act.amount) !== amount) continue
    by.set(operator.wallet, operator)
  }
  return { by: [...by.values()], needed: quorumOf(context.operators, amount) }
}

/** True if as many operators as needed have approved exactly this withdrawal. */
export const isApproved = ({ by, needed }: Approvals): boolean => by.length >= needed
