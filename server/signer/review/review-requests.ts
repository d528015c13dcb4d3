import { findFailedCheck, FAILED_CHECK_MESSAGES } from './failed-check.ts'
import { recordVerdict, type OpenWithdrawal, readRequested } from '#server/withdrawals/open-withdrawals.ts'
import { applyPolicy, type Verdict } from './policy.ts'
import { readWithdrawalFacts } from './read-facts.ts'
import type { Signer } from '../signer.ts'

/** Judges what was requested: it is approved, or it waits for the operator with reasons that the player can read. */
export async function reviewRequests(signer: Signer): Promise<void> {
  for (const withdrawal of await readRequested(signer.db)) {
    const now = signer.clock.now()
    const verdict = await decideVerdict(signer, withdrawal, now)
    await recordVerdict(signer.db, { id: withdrawal.id, now, ...verdict })
  }
}

async function decideVerdict(
  { db, chain, log, settings, site }: Signer,
  withdrawal: OpenWithdrawal,
  now: Date,
): Promise<Verdict> {
  const failedCheck = await findFailedCheck(db, withdrawal, { site, now })
  if (failedCheck) {
    log.error({ withdrawal: withdrawal.id, doubt: failedCheck }, FAILED_CHECK_MESSAGES[failedCheck])
    return { state: 'review', reasons: [failedCheck] }
  }
  const facts = await readWithdrawalFacts(db, withdrawal, { cluster: chain.facts.cluster, now })
  return applyPolicy(facts, settings.limits)
}
