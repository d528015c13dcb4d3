import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'

/** A check of fewer entries is not worth a write. */
const ENTRIES_PER_WRITE = 1_000n

/**
 * How many entries of each class one statement reads at most. The term of the signer is not renewed while a statement runs,
 * and is lost after six seconds. A disk of 3,000 reads a second needs three for both classes if no page is in memory.
 */
const ENTRIES_PER_STEP = 5_000

/** The largest value of a bigint. */
const LARGEST = 2n ** 63n - 1n

/** `version` and `total` are those up to which a step has compared. The last step of a class is `done`. */
type Compared = {
  class: string
  version: bigint
  total: bigint
  added: bigint
  agrees: boolean
  done: boolean
}

// The last step has no upper bound, so that it notices entries above the version of the account.
const compare = sql({
  name: 'signer-compare-balances',
  params: { wallet: 'text', step: 'integer' },
  row: rowOf<Compared>(),
  text: ({ wallet, step }) => `select b.class::text, b.upto as version, b.upto = b.version as done,
     least(greatest(e.total, 0), ${LARGEST})::bigint as total, e.lines as added,
     b.upto = b.checked_version + e.lines and b.upto = greatest(b.checked_version, e.newest)
       and case when b.upto = b.version then e.total = b.balance else e.total between 0 and ${LARGEST} end as agrees
   from (
     select a.*, coalesce(c.version, 0) as checked_version, coalesce(c.total, 0) as checked_total,
       least(a.version, coalesce(c.version, 0) + ${step}) as upto
     from accounts a left join checked_balances c on c.wallet = a.wallet and c.class = a.class
     where a.wallet = ${wallet}
   ) b cross join lateral (
     select b.checked_total + coalesce(sum(amount), 0) as total, count(*) as lines, max(version) as newest from entries
     where wallet = b.wallet and account = b.class::text::ledger_account and version > b.checked_version
       and version <= case when b.upto = b.version then ${LARGEST} else b.upto end
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
 * check, because a wallet may have millions of them, and its player waits while a payout is stored. Each step stores how far
 * it came, so that a check that is interrupted does not begin again.
 */
export async function balancesAgree(
  db: Queryable,
  wallet: string,
  entriesPerStep = ENTRIES_PER_STEP,
): Promise<boolean> {
  for (;;) {
    const compared = await db.rows(compare, { wallet, step: entriesPerStep })
    if (!compared.every(({ agrees }) => agrees)) return false
    const long = compared.filter(({ added, done }) => !done || added >= ENTRIES_PER_WRITE)
    if (long.length > 0) {
      await db.rows(write, {
        wallet,
        classes: long.map((each) => each.class),
        versions: long.map(({ version }) => version),
        totals: long.map(({ total }) => total),
      })
    }
    if (compared.every(({ done }) => done)) return true
  }
}
