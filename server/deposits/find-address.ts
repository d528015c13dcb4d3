import type { Chain } from '#server/chain/port.ts'
import { readReachedSlot } from '#server/chain/quorum.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Db, UnknownOutcomeError } from '#server/platform/db/db.ts'
import { type DepositAddress, readDepositAddress, takeDepositAddress } from './take-address.ts'

/**
 * A player's deposit address. Assigns a free one if the player has none; null if none is free. The slot of the assignment
 * is stored with it, unless no node answers: earlier arrivals are not this player's. `countNew` may refuse an assignment, and
 * returns what uncounts one that is not made.
 */
export async function findDepositAddress(
  { db, chain, clock }: { db: Db; chain: Chain; clock: Clock },
  wallet: string,
  countNew: () => () => void = () => () => {},
): Promise<DepositAddress | null> {
  const known = await readDepositAddress(db, wallet)
  if (known) return known
  const uncount = countNew()
  const now = clock.now()
  try {
    const taken = await takeDepositAddress(db, { wallet, now, slot: await readReachedSlot(chain) })
    if (taken === null) uncount()
    return taken
  } catch (error) {
    // A database that refuses writes assigns none. With an unknown outcome it may have.
    if (!(error instanceof UnknownOutcomeError)) uncount()
    throw error
  }
}
