import type { Signature } from '#server/chain/port.ts'
import { type Queryable, sql } from '#server/platform/db/db.ts'

/** A payout that the books do not owe, and what operators did about it; amounts in base units. */
export type RestoredPayout = {
  signature: Signature
  withdrawalId: string
  wallet: string | null
  amount: bigint
  /** Taken back of each class of its wallet's balance, and what the pool bears. */
  deposited: bigint
  earned: bigint
  borne: bigint
  acknowledgedBy: string | null
  reason: string | null
}

const readAll = sql(
  'restored-read',
  `select signature, withdrawal_id::text as "withdrawalId", wallet, amount, deposited, earned, borne,
     acknowledged_by as "acknowledgedBy", reason
   from restored_payouts`,
)

/** All payouts that operators have dealt with, by transaction. */
export async function readRestored(db: Queryable): Promise<Map<Signature, RestoredPayout>> {
  const rows = await db.rows<RestoredPayout>(readAll)
  return new Map(rows.map((row) => [row.signature, row]))
}

/** What nobody has paid for yet. */
export const debtOf = ({ amount, deposited, earned, borne }: Omit<RestoredPayout, 'signature'>): bigint =>
  amount - deposited - earned - borne

/** True where nothing is left to do: all of it was taken back, or an operator has seen what is left. */
export const isSettled = (restored: RestoredPayout): boolean =>
  debtOf(restored) === 0n || restored.acknowledgedBy !== null
