import { readBoundChain } from '#server/deposits/connect-bound-chain.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'

// The condition on the amount, which every receipt meets, makes Postgres use the index of deposits by wallet.
const readWallets = sql({
  name: 'withdrawals-read-wallets-without-deposit',
  params: { wallets: 'text[]' },
  row: rowOf<{ wallet: string }>(),
  text: ({ wallets }) => `select wallet from unnest(${wallets}) as wallet where not exists (
      select from receipts r
      where r.wallet = wallet.wallet and r.asset = 'cotton' and r.state = 'credited' and r.amount > 0
    )`,
})

/**
 * Which of these wallets cannot withdraw earned credit. Where tokens have a value, a wallet needs a credited deposit
 * first, so that many wallets that only claim earn nothing for the person who runs them.
 */
export async function readWalletsWithoutDeposit(
  db: Queryable,
  wallets: readonly string[],
): Promise<Set<string>> {
  const boundChain = await readBoundChain(db)
  if (!boundChain || boundChain.cluster === 'local') return new Set()
  const rows = await db.rows(readWallets, { wallets })
  return new Set(rows.map((row) => row.wallet))
}
