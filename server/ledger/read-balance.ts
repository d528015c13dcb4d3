import { baseUnits } from '#game/cotton.ts'
import { type Credit, NO_CREDIT } from '#game/credit.ts'
import { type Queryable, sql } from '#server/platform/db/db.ts'

const readAccounts = sql(
  'ledger-read-accounts',
  'select class::text, balance from accounts where wallet = $1',
)

/** What a wallet holds, without a lock. A wallet that the game has never seen holds nothing. */
export async function readBalance(db: Queryable, wallet: string): Promise<Credit> {
  const rows = await db.rows<{ class: 'deposited' | 'earned'; balance: bigint }>(readAccounts, [wallet])
  return rows.reduce((credit, row) => ({ ...credit, [row.class]: baseUnits(row.balance) }), NO_CREDIT)
}
