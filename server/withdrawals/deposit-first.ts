import { readOwnChain } from '#server/deposits/connect-own-chain.ts'
import { sql, type Tx } from '#server/platform/db/db.ts'

const readWithout = sql(
  'withdrawals-read-without-deposit',
  `select wallet from unnest($1::text[]) as wallet where not exists (
     select from receipts r where r.wallet = wallet.wallet and r.asset = 'cotton' and r.state = 'credited'
   )`,
)

/**
 * The wallets, of these, whose earned credit stays in the game: where tokens are worth something, a credited deposit
 * comes before any earned payout. It makes a crowd of wallets that only claim worthless to whoever runs it.
 */
export async function walletsWithoutDeposit(tx: Tx, wallets: readonly string[]): Promise<Set<string>> {
  const own = await readOwnChain(tx)
  if (!own || own.cluster === 'local') return new Set()
  const rows = await tx.rows<{ wallet: string }>(readWithout, [wallets])
  return new Set(rows.map((row) => row.wallet))
}
