import { baseUnits } from '#game/cotton.ts'
import { type Credit, type CreditClass, NO_CREDIT } from '#game/credit.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'

const readAccounts = sql({
  name: 'ledger-read-accounts',
  params: { wallet: 'text' },
  row: rowOf<{ class: CreditClass; balance: bigint }>(),
  text: ({ wallet }) => `select class::text, balance from accounts where wallet = ${wallet}`,
})

/** Reads a wallet's balances without a lock. An unknown wallet has none. */
export async function readBalance(db: Queryable, wallet: string): Promise<Credit> {
  const rows = await db.rows(readAccounts, { wallet })
  return rows.reduce((credit, row) => ({ ...credit, [row.class]: baseUnits(row.balance) }), NO_CREDIT)
}
