import { type Queryable, sql } from '#server/platform/db/db.ts'

const countOpenOf = sql(
  'withdrawals-count-open',
  `select wallet, count(*)::int as open from withdrawals
   where wallet = any($1::text[]) and state not in ('finalized', 'refunded') group by wallet`,
)

/** How many withdrawals of each wallet are neither paid nor refunded. Exact behind the locks of its accounts. */
export async function countOpen(
  tx: Queryable,
  wallets: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.rows<{ wallet: string; open: number }>(countOpenOf, [[...new Set(wallets)]])
  return new Map(rows.map(({ wallet, open }) => [wallet, open]))
}
