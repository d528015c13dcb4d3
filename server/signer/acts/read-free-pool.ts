import { formatExact } from '#game/cotton.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { readCreditSupply } from '#server/solvency/read-credit-supply.ts'
import { lockRewardDay } from '#server/withdrawals/reward-day.ts'

/**
 * The part of the pool that today's budget cannot pay out, in base units, at least 0n. Locks the day until the transaction
 * ends, so that the budget does not change.
 */
export async function readFreePool(tx: Tx, now: Date): Promise<bigint> {
  const day = await lockRewardDay(tx, { wallets: [], now })
  const { pool } = await readCreditSupply(tx)
  const free = pool - day.leftForAll()
  return free > 0n ? free : 0n
}

/** Throws a `StartupError` if that part of the pool is less than the amount. */
export async function requireFreePool(tx: Tx, { amount, now }: { amount: bigint; now: Date }): Promise<void> {
  const free = await readFreePool(tx, now)
  if (amount > free)
    throw new StartupError(
      `The pool has only ${formatExact(free)} $COTTON available, not ${formatExact(amount)}.`,
    )
}
