import { doubtAbout, DOUBT_IN_WORDS } from './doubt.ts'
import { judgeWithdrawal, type OpenWithdrawal, readRequested } from '#server/withdrawals/open-withdrawals.ts'
import { judge, type Verdict } from './policy.ts'
import { factsOf } from './read-facts.ts'
import type { Signer } from '../signer.ts'

/** Judges what was requested: it is approved, or it waits for the operator with reasons that the player can read. */
export async function judgeRequests(signer: Signer): Promise<void> {
  for (const withdrawal of await readRequested(signer.db)) {
    const now = signer.clock.now()
    const verdict = await verdictOn(signer, withdrawal, now)
    await judgeWithdrawal(signer.db, { id: withdrawal.id, now, ...verdict })
  }
}

async function verdictOn(
  { db, chain, log, settings, site }: Signer,
  withdrawal: OpenWithdrawal,
  now: Date,
): Promise<Verdict> {
  const doubt = await doubtAbout(db, withdrawal, { site, now })
  if (doubt) {
    log.error({ withdrawal: withdrawal.id, doubt }, DOUBT_IN_WORDS[doubt])
    return { state: 'review', reasons: [doubt] }
  }
  const facts = await factsOf(db, withdrawal, { cluster: chain.facts.cluster, now })
  return judge(facts, settings.limits)
}
