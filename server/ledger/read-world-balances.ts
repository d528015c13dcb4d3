import { baseUnits, type Cotton, ZERO } from '#game/cotton.ts'
import { type Queryable, sql } from '#server/platform/db/db.ts'

const sumWorldAccounts = sql(
  'ledger-sum-world-accounts',
  `select account::text, sum(amount)::bigint as balance from entries
   where account in ('treasury', 'pool', 'held') group by account`,
)

export type WorldBalances = {
  /** Tokens that the books say the chain holds for the game; the account itself runs below zero by that much. */
  treasury: Cotton
  pool: Cotton
  held: Cotton
}

/** The accounts of the world that stand against tokens. They keep no balance row, so this sums their entries. */
export async function readWorldBalances(db: Queryable): Promise<WorldBalances> {
  const rows = await db.rows<{ account: string; balance: bigint }>(sumWorldAccounts)
  const of = (account: string): Cotton =>
    baseUnits(rows.find((row) => row.account === account)?.balance ?? ZERO)
  return { treasury: baseUnits(-of('treasury')), pool: of('pool'), held: of('held') }
}
