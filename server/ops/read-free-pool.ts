import { readWorldBalances } from '#server/ledger/read-world-balances.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { lockRewardDay } from '#server/withdrawals/reward-day.ts'

/**
 * What the pool has beside what today's budget has promised of it, base units, never below 0n. The day is locked until
 * the transaction ends, so that it is not promised meanwhile.
 */
export async function readFreePool(tx: Tx, now: Date): Promise<bigint> {
  const day = await lockRewardDay(tx, { wallets: [], now })
  const { pool } = await readWorldBalances(tx)
  const free = pool - day.leftForAll()
  return free > 0n ? free : 0n
}
