import { baseUnits, type Cotton, ZERO } from '#game/cotton.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'

const sumWorldAccounts = sql({
  name: 'ledger-sum-world-accounts',
  row: rowOf<{ account: string; balance: bigint }>(),
  text: `select account::text, sum(amount)::bigint as balance from entries
    where account in ('treasury', 'pool', 'held') group by account`,
})

export type WorldBalances = {
  /** Tokens that the game should have on the chain. The ledger account itself is negative by this amount. */
  treasury: Cotton
  pool: Cotton
  held: Cotton
}

/** The balances of the game's own ledger accounts that represent tokens. They have no balance row: this sums entries. */
export async function readWorldBalances(db: Queryable): Promise<WorldBalances> {
  const rows = await db.rows(sumWorldAccounts)
  const of = (account: string): Cotton =>
    baseUnits(rows.find((row) => row.account === account)?.balance ?? ZERO)
  return { treasury: baseUnits(-of('treasury')), pool: of('pool'), held: of('held') }
}
