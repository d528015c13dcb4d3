import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'

// In every journal, emission, earned and burned sum to zero. Therefore earned = emitted - burned. All are returned as text:
// within years, the credit that was ever emitted or burned exceeds a bigint.
const selectCreditSupply = sql({
  name: 'credit-supply-read',
  row: rowOf<Record<keyof CreditSupply, string>>(),
  text: `with totals as (
     select coalesce(sum(deposited), 0) as deposited, coalesce(sum(pool), 0) as pool, coalesce(sum(held), 0) as held,
       coalesce(-sum(emission), 0) as emitted, coalesce(sum(burned), 0) as burned, coalesce(sum(spent), 0) as spent
     from credit_totals
   )
   select deposited::text, (emitted - burned)::text as earned, pool::text, held::text, emitted::text,
     burned::text, spent::text from totals`,
})

/** The totals of all credit by kind, in base units. */
export type CreditSupply = {
  deposited: bigint
  earned: bigint
  pool: bigint
  held: bigint
  /** All earned credit ever created: by claims, and by adjustments of operators. */
  emitted: bigint
  /** The part of it that was spent or withdrawn. The rest is `earned`. */
  burned: bigint
  /** Deposited credit that players spent. It went into the pool. */
  spent: bigint
}

/** Reads the running totals. The audit compares them with the ledger. */
export async function readCreditSupply(db: Queryable): Promise<CreditSupply> {
  const [totals] = await db.rows(selectCreditSupply)
  return Object.fromEntries(
    Object.entries(totals!).map(([name, total]) => [name, BigInt(total)]),
  ) as CreditSupply
}
