import { baseUnits, type Cotton, formatExact } from '#game/cotton.ts'
import { fundingEntries } from '#game/credit.ts'
import type { Chain } from '#server/chain/port.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import { readWorldBalances } from '#server/ledger/read-world-balances.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { takeSnapshot } from '#server/solvency/take-snapshot.ts'

type Funding = {
  chain: Chain
  treasury: string
  /** The wallets of cold storage. */
  cold: readonly string[]
  amount: Cotton
  reason: string
  now: Date
}

/**
 * Adds tokens that are not owed to anybody to the reward pool, and returns a summary. The snapshot is taken under the
 * operators' lock, so that the same tokens are not added twice.
 */
export async function fundPool(
  tx: Tx,
  { chain, treasury, cold, amount, reason, now }: Funding,
): Promise<string> {
  const { free, slot } = await takeSnapshot({ db: tx, chain }, { treasury, cold, notBefore: 0n, now })
  if (amount > free) {
    const available = formatExact(free > 0n ? free : 0n)
    throw new StartupError(
      `The treasury has ${available} $COTTON that are not owed to anybody, not ${formatExact(amount)}. Send the tokens to ${treasury} first.`,
    )
  }
  const ledger = await openLedger(tx, [])
  const entries = fundingEntries(amount)
  // With the slot, a reserve snapshot of an older slot does not report these tokens as missing.
  const detail = { reason, slot: Number(slot) }
  ledger.post({ wallet: 'operator', kind: 'funding', at: now, detail, entries })
  await ledger.write()
  const { pool } = await readWorldBalances(tx)
  return `Funded: the pool now has ${formatExact(pool)} $COTTON. Before: ${formatExact(baseUnits(pool - amount))}.`
}
