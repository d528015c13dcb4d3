import { baseUnits, type Cotton, formatExact } from '#game/cotton.ts'
import { fundingEntries, OPERATOR } from '#game/credit.ts'
import { ChainUnavailable } from '#server/chain/port.ts'
import { openLedger } from '#server/ledger/ledger.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { readCreditSupply } from '#server/solvency/read-credit-supply.ts'
import { recordFunding } from '#server/solvency/record-funding.ts'
import { compareAgain, type ReserveView } from '#server/solvency/take-snapshot.ts'

type Funding = {
  /** What the chain shows, read before the transaction. */
  reserve: ReserveView
  treasury: string
  amount: Cotton
  reason: string
  now: Date
}

/**
 * Adds tokens that are not owed to anybody to the reward pool, and returns a summary. The reading of the chain is compared
 * with the books under the operators' lock, so that the same tokens are not added twice. Throws `ChainUnavailable` if the
 * act must be tried again.
 */
export async function fundPool(tx: Tx, { reserve, treasury, amount, reason, now }: Funding): Promise<string> {
  const { free, slot, fundedAhead } = await compareAgain(tx, reserve)
  // Such a funding may be of tokens that this reading shows, too.
  if (fundedAhead > 0n)
    throw new ChainUnavailable('The pool was funded after the slot that the node shows. Try again.')
  if (amount > free) {
    const available = formatExact(free > 0n ? free : 0n)
    throw new StartupError(
      `The treasury has ${available} $COTTON that are not owed to anybody, not ${formatExact(amount)}. Send the tokens to ${treasury} first.`,
    )
  }
  const ledger = await openLedger(tx, [])
  const entries = fundingEntries(amount)
  const detail = { reason, slot: Number(slot) }
  ledger.post({ wallet: OPERATOR, kind: 'funding', at: now, detail, entries })
  ledger.write()
  await recordFunding(tx, { slot, amount, now })
  const { pool } = await readCreditSupply(tx)
  return `Funded: the pool now has ${formatExact(pool)} $COTTON. Before: ${formatExact(baseUnits(pool - amount))}.`
}
