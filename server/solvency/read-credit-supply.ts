import { sql, type Tx } from '#server/platform/db/db.ts'

const selectCreditSupply = sql(
  'credit-supply-read',
  `with operators as (
     select e.account, sum(e.amount) as amount from journals j
     join entries e on e.wallet = j.wallet and e.journal_id = j.id
     where j.kind in ('funding', 'adjustment') and e.account in ('emission', 'pool') group by e.account
   ), reserves as (
     select account, sum(amount) as balance from entries where account in ('pool', 'held') group by account
   ), supply as (
     select
       (select coalesce(sum(balance), 0) from accounts where class = 'deposited') as deposited,
       (select coalesce(sum(balance), 0) from accounts where class = 'earned') as earned,
       coalesce((select balance from reserves where account = 'pool'), 0) as pool,
       coalesce((select balance from reserves where account = 'held'), 0) as held,
       (select coalesce(sum(claimed), 0) from workers)
         - coalesce((select amount from operators where account = 'emission'), 0) as emitted,
       (select coalesce(sum(earned), 0) from withdrawals where state <> 'refunded') as rewarded,
       coalesce((select amount from operators where account = 'pool'), 0) as funded
   )
   select deposited::bigint, earned::bigint, pool::bigint, held::bigint, emitted::bigint, (emitted - earned)::bigint as burned,
     rewarded::bigint, funded::bigint, (pool - funded + rewarded)::bigint as spent from supply`,
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
  /** Earned credit that left the game, or is on its way, as tokens of the pool. */
  rewarded: bigint
  /** What operators put into the pool, less what they gave out of it. */
  funded: bigint
  /** Deposited credit that players spent: it went into the pool. */
  spent: bigint
}

/**
 * How much there is of each kind. Claims are summed over the workers, of which there are few, and not over the ledger,
 * which grows for ever; the audit holds both equal.
 */
export async function readCreditSupply(db: Tx): Promise<CreditSupply> {
  return (await db.rows<CreditSupply>(selectCreditSupply))[0]!
}
