import { trackFailedWithdrawals } from '../failed-withdrawals.ts'
import { findFailedCheck, FAILED_CHECK_MESSAGES } from './failed-check.ts'
import { recordVerdict, type OpenWithdrawal, readRequested } from '#server/withdrawals/open-withdrawals.ts'
import { applyPolicy, type Verdict } from './policy.ts'
import { readWithdrawalFacts } from './read-facts.ts'
import type { Site } from '#server/platform/site.ts'
import type { WithdrawalSettings } from '#server/platform/withdrawal-settings.ts'
import type { StepDeps } from '../step-deps.ts'
import { type Seal, sealVerdict } from './verdict-seal.ts'

type ReviewDeps = StepDeps & { settings: Pick<WithdrawalSettings, 'limits'>; site: Site; seal: Seal }

/**
 * Approves requested withdrawals with a seal that only the signer can compute, or queues them for the operator with
 * reasons that the player can read.
 */
export async function reviewRequests(deps: ReviewDeps): Promise<void> {
  const failed = trackFailedWithdrawals(deps)
  for (const withdrawal of await readRequested(deps.db)) {
    await failed.isolate(withdrawal.id, async () => {
      const now = deps.clock.now()
      const verdict = await decideVerdict(deps, withdrawal, now)
      const mac = verdict.state === 'approved' ? sealVerdict(deps.seal, withdrawal) : null
      await recordVerdict(deps.db, { id: withdrawal.id, now, mac, ...verdict })
    })
  }
  failed.end()
}

async function decideVerdict(
  { db, chain, log, settings, site }: ReviewDeps,
  withdrawal: OpenWithdrawal,
  now: Date,
): Promise<Verdict> {
  const failedCheck = await findFailedCheck(db, withdrawal, { site, now })
  if (failedCheck) {
    log.error({ withdrawal: withdrawal.id, failedCheck }, FAILED_CHECK_MESSAGES[failedCheck])
    return { state: 'review', reasons: [failedCheck] }
  }
  const facts = await readWithdrawalFacts(db, withdrawal, { cluster: chain.facts.cluster, now })
  return applyPolicy(facts, settings.limits)
}
