import type { Signature } from '#server/chain/port.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'

/** Begins the names of the settings in which the signer reports such payouts. The operators' console lists them. */
export const UNOWED_SETTING = 'unowed:'

/** What was paid, what was taken back from each class of the wallet's balance, and what the pool paid, in base units. */
type Amounts = { amount: bigint; deposited: bigint; earned: bigint; borne: bigint }

/** A payout that the books do not owe, and how operators handled it. */
export type RestoredPayout = Amounts & {
  signature: Signature
  withdrawalId: string
  wallet: string | null
  acknowledgedBy: string | null
  reason: string | null
}

const readAll = sql({
  name: 'restored-read',
  row: rowOf<RestoredPayout>(),
  text: `select signature, withdrawal_id::text as "withdrawalId", wallet, amount, deposited, earned, borne,
     acknowledged_by as "acknowledgedBy", reason
   from restored_payouts`,
})

/** All payouts that operators have handled, by transaction. */
export async function readRestored(db: Queryable): Promise<Map<Signature, RestoredPayout>> {
  const rows = await db.rows(readAll)
  return new Map(rows.map((row) => [row.signature, row]))
}

/** The part of the payout that is not covered yet. */
export const debtOf = ({ amount, deposited, earned, borne }: Amounts): bigint =>
  amount - deposited - earned - borne

/** True if nothing is left to do: all of it is covered, or an operator has acknowledged the rest. */
export const isSettled = (restored: RestoredPayout): boolean =>
  debtOf(restored) === 0n || restored.acknowledgedBy !== null
