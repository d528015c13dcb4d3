import type { Address } from '#server/chain/port.ts'
import { countApprovals, isApproved } from '#server/operators/count-approvals.ts'
import type { Operators } from '#server/operators/read-operators.ts'
import type { ActContext } from '#server/operators/verify-act.ts'
import type { Queryable } from '#server/platform/db/db.ts'
import type { Site } from '#server/platform/site.ts'
import type { OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import { isSealed, type Seal } from './verdict-seal.ts'

/** What verifying the acts of operators needs. `operators` returns those that the file names now. */
export type OperatorDeps = { site: Site; treasury: { address: Address }; operators: () => Operators }

export type DecisionDeps = OperatorDeps & { seal: Seal }

/** Where acts are valid, and who may sign them now. */
export const contextOf = ({ site, treasury, operators }: OperatorDeps): ActContext => ({
  site,
  treasury: treasury.address,
  operators: operators(),
})

/**
 * True if the policy has sealed this withdrawal, or as many operators as needed have signed exactly what is paid. The
 * state of the row proves neither: whoever can write to the database can write it.
 */
export async function isDecided(
  db: Queryable,
  deps: DecisionDeps,
  { withdrawal, now }: { withdrawal: OpenWithdrawal; now: Date },
): Promise<boolean> {
  if (isSealed(deps.seal, withdrawal)) return true
  return isApproved(await countApprovals(db, contextOf(deps), { withdrawal, now }))
}
