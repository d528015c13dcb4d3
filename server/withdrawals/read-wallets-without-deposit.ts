import { readBoundChain } from '#server/deposits/connect-bound-chain.ts'
import { type Queryable, sql } from '#server/platform/db/db.ts'

const readWallets = sql(
  'withdrawals-read-wallets-without-deposit',
  `select wallet from unnest($1::text[]) as wallet where not exists (
     select from receipts r where r.wallet = wallet.wallet and r.asset = 'cotton' and r.state = 'credited'
   )`,
)

/**
 * The wallets, of these, whose earned credit stays in the game: where tokens are worth something, a credited deposit
 * comes before any earned payout. It makes a crowd of wallets that only claim worthless to whoever runs it.
 */
export async function readWalletsWithoutDeposit(
  tx: Queryable,
  wallets: readonly string[],
): Promise<Set<string>> {
  const boundChain = await readBoundChain(tx)
  if (!boundChain || boundChain.cluster === 'local') return new Set()
  const rows = await tx.rows<{ wallet: string }>(readWallets, [wallets])
  return new Set(rows.map((row) => row.wallet))
}
