import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'

/** A check of fewer entries is not worth a write. */
const ENTRIES_PER_WRITE = 1_000n

type Compared = { class: string; version: bigint; total: bigint; added: bigint; agrees: boolean }

const compare = sql({
  name: 'signer-compare-balances',
  params: { wallet: 'text' },
  row: rowOf<Compared>(),
  text: ({ wallet }) => `select b.class::text, b.version, b.balance as total, e.lines as added,
     b.balance = b.checked_total + e.total and b.version = b.checked_version + e.lines
       and b.version = greatest(b.checked_version, e.newest) as agrees
   from (
     select a.*, coalesce(c.version, 0) as checked_version, coalesce(c.total, 0) as checked_total
     from accounts a left join checked_balances c on c.wallet = a.wallet and c.class = a.class
     where a.wallet = ${wallet}
   ) b cross join lateral (
     select coalesce(sum(amount), 0) as total, count(*) as lines, max(version) as newest from entries
     where wallet = b.wallet and account = b.class::text::ledger_account and version > b.checked_version
   ) e`,
})

const write = sql({
  name: 'signer-write-checked-balances',
  params: { wallet: 'text', classes: 'text[]', versions: 'bigint[]', totals: 'bigint[]' },
  text: ({ wallet, classes, versions, totals }) =>
    `insert into checked_balances as c (wallet, class, version, total)
     select ${wallet}, class::credit_class, version, total
     from unnest(${classes}, ${versions}, ${totals}) as checked (class, version, total)
     on conflict (wallet, class) do update set version = excluded.version, total = excluded.total
     where c.version < excluded.version`,
})

/**
 * Whether the balances of a wallet are the sums of its entries, each of which counts once. Reads the entries since the last
 * check, because a wallet may have millions of them, and its player waits while a payout is stored.
 */
export async function balancesAgree(db: Queryable, wallet: string): Promise<boolean> {
  const compared = await db.rows(compare, { wallet })
  if (!compared.every(({ agrees }) => agrees)) return false
  const long = compared.filter(({ added }) => added >= ENTRIES_PER_WRITE)
  if (long.length > 0) {
    await db.rows(write, {
      wallet,
      classes: long.map((each) => each.class),
      versions: long.map(({ version }) => version),
      totals: long.map(({ total }) => total),
    })
  }
  return true
}
