import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'

const countOpenOf = sql({
  name: 'withdrawals-count-open',
  params: { wallets: 'text[]' },
  row: rowOf<{ wallet: string; open: number }>(),
  text: ({ wallets }) => `select wallet, count(*)::int as open from withdrawals
    where wallet = any(${wallets}) and state not in ('finalized', 'refunded') group by wallet`,
})

/** How many withdrawals of each wallet are neither paid nor refunded. Exact only while its accounts are locked. */
export async function countOpen(
  db: Queryable,
  wallets: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.rows(countOpenOf, { wallets: [...new Set(wallets)] })
  return new Map(rows.map(({ wallet, open }) => [wallet, open]))
}
