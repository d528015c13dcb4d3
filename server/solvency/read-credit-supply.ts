import { type Queryable, sql } from '#server/platform/db/db.ts'

// Every journal keeps emission, earned and burned at zero together.
const selectCreditSupply = sql(
  'credit-supply-read',
  `with totals as (
     select coalesce(sum(deposited), 0) as deposited, coalesce(sum(pool), 0) as pool, coalesce(sum(held), 0) as held,
       coalesce(-sum(emission), 0) as emitted, coalesce(sum(burned), 0) as burned, coalesce(sum(spent), 0) as spent
     from credit_totals
   )
   select deposited::bigint, (emitted - burned)::bigint as earned, pool::bigint, held::bigint, emitted::bigint,
     burned::bigint, spent::bigint from totals`,
)

/** All credit there is, by kind, in base units. */
export type CreditSupply = {
  deposited: bigint
  earned: bigint
  pool: bigint
  held: bigint
  /** Ever made: by claims, and by operators who adjusted a balance. */
  emitted: bigint
  /** Of it, what was spent in the game or left it. What is neither burned nor earned does not exist. */
  burned: bigint
  /** Deposited credit that players spent: it went into the pool. */
  spent: bigint
}

/** How much there is of each kind, by the running totals; the audit compares them with the ledger. */
export async function readCreditSupply(db: Queryable): Promise<CreditSupply> {
  return (await db.rows<CreditSupply>(selectCreditSupply))[0]!
}
