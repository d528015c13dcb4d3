import type { Address } from '#server/chain/port.ts'
import { findMismatches, readWatchedWallets } from '#server/deposits/find-mismatches.ts'
import type { StepDeps } from '../step-deps.ts'
import { recordMissedSweeps } from '../sweeps/record-missed-sweeps.ts'
import type { TreasuryPayouts } from './find-unowed-payouts.ts'

/**
 * The wallets that received these payouts and whose deposits may not all be in the books, because the balances of their
 * deposit accounts differ from the books. A sweep that the books lack would hide a deposit that they lack, so missed sweeps are
 * recorded before. All wallets while they are not. Rejects with `ChainUnavailable`.
 */
export async function findUnreadWallets(
  { db, chain, clock, log }: StepDeps,
  { treasury, payouts }: { treasury: Address; payouts: TreasuryPayouts },
): Promise<ReadonlySet<string>> {
  const wallets = new Set<string>()
  for (const spent of payouts.spent.values())
    if (spent !== null && spent !== 'nothing' && spent.wallet !== null) wallets.add(spent.wallet)
  if (wallets.size === 0) return wallets
  const treasuryTokens = await chain.tokenAccountOf(treasury)
  const { done } = await recordMissedSweeps({ db, chain, clock, log, treasury, treasuryTokens })
  if (!done) return wallets
  const notBefore = await chain.slot('finalized')
  const mismatches = await findMismatches(chain, await readWatchedWallets(db, [...wallets]), { notBefore })
  return new Set(mismatches.map(({ wallet }) => wallet))
}
