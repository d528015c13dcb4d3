import { type Queryable, sql } from '#server/platform/db/db.ts'

/** One law of the books and how to find where it is broken. */
type Law = { law: string; broken: ReturnType<typeof sql> }

const LAWS: readonly Law[] = [
  {
    law: 'the entries of every journal sum to zero',
    broken: sql(
      'verify-zero-sum',
      'select journal_id::text as what, sum(amount)::text as found from entries group by journal_id having sum(amount) <> 0 limit 20',
    ),
  },
  {
    law: 'every journal has entries, and every entry a journal',
    broken: sql(
      'verify-journals',
      `select coalesce(j.id, e.journal_id)::text as what, 'alone' as found
       from journals j full join (select distinct journal_id from entries) e on e.journal_id = j.id
       where j.id is null or e.journal_id is null limit 20`,
    ),
  },
  {
    law: 'a balance is the sum of its entries, and its version their number',
    broken: sql(
      'verify-balances',
      `select a.wallet || ' ' || a.class as what, a.balance || ' at version ' || a.version as found
       from accounts a left join (
         select wallet, account::text as class, sum(amount) as total, count(*) as lines, max(version) as newest
         from entries where version is not null group by wallet, account
       ) e on e.wallet = a.wallet and e.class = a.class::text
       where a.balance <> coalesce(e.total, 0) or a.version <> coalesce(e.lines, 0) or a.version <> coalesce(e.newest, 0)
       limit 20`,
    ),
  },
  {
    law: 'every entry of a player belongs to an account',
    broken: sql(
      'verify-owners',
      `select e.wallet || ' ' || e.account as what, 'no account' as found from entries e
       left join accounts a on a.wallet = e.wallet and a.class::text = e.account::text
       where e.version is not null and a.wallet is null limit 20`,
    ),
  },
  {
    law: 'each entry goes on from the balance that the one before it left',
    broken: sql(
      'verify-chain',
      `select wallet || ' ' || account || ' #' || version as what, balance_after::text as found from (
         select wallet, account, version, amount, balance_after,
           lag(balance_after, 1, 0::bigint) over line_before as before, lag(version, 1, 0::bigint) over line_before as version_before
         from entries where version is not null window line_before as (partition by wallet, account order by version)
       ) chained where before + amount <> balance_after or version_before + 1 <> version limit 20`,
    ),
  },
]

export type Finding = { law: string; what: string; found: string }

/** Reads the whole ledger and answers where it breaks its laws; an empty list is a clean book. */
export async function verifyLedger(tx: Queryable): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { law, broken } of LAWS) {
    const rows = await tx.rows<{ what: string; found: string }>(broken)
    findings.push(...rows.map((row) => ({ law, ...row })))
  }
  return findings
}
