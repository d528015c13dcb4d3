import { type Queryable, rowOf, sql, type Statement } from '#server/platform/db/db.ts'

/** One violation: the row or player concerned, and what was found there. */
export type Violation = { what: string; found: string }
const row = rowOf<Violation>()

/** An invariant of the database, and the statement that finds violations of it. */
export type Law = { law: string; broken: Statement<object, Violation> }

/** How many violations of one invariant are read at most. */
export const MOST_READ = 20

const LAWS: readonly Law[] = [
  {
    law: 'the entries of every journal sum to zero',
    broken: sql({
      name: 'verify-zero-sum',
      row,
      text: `select journal_id::text as what, sum(amount)::text as found from entries group by journal_id having sum(amount) <> 0 limit ${MOST_READ}`,
    }),
  },
  {
    law: 'every journal has entries, and every entry a journal',
    broken: sql({
      name: 'verify-journals',
      row,
      text: `select coalesce(j.id, e.journal_id)::text as what, 'alone' as found
       from journals j full join (select distinct journal_id from entries) e on e.journal_id = j.id
       where j.id is null or e.journal_id is null limit ${MOST_READ}`,
    }),
  },
  {
    law: 'a balance is the sum of its entries, and its version their number',
    broken: sql({
      name: 'verify-balances',
      row,
      text: `select a.wallet || ' ' || a.class as what, a.balance || ' at version ' || a.version as found
       from accounts a left join (
         select wallet, account::text as class, sum(amount) as total, count(*) as lines, max(version) as newest
         from entries where version is not null group by wallet, account
       ) e on e.wallet = a.wallet and e.class = a.class::text
       where a.balance <> coalesce(e.total, 0) or a.version <> coalesce(e.lines, 0) or a.version <> coalesce(e.newest, 0)
       limit ${MOST_READ}`,
    }),
  },
  {
    law: 'every entry of a player belongs to an account',
    broken: sql({
      name: 'verify-owners',
      row,
      text: `select e.wallet || ' ' || e.account as what, 'no account' as found from entries e
       left join accounts a on a.wallet = e.wallet and a.class::text = e.account::text
       where e.version is not null and a.wallet is null limit ${MOST_READ}`,
    }),
  },
  {
    law: 'each entry continues from the balance that the previous one left',
    broken: sql({
      name: 'verify-chain',
      row,
      text: `select wallet || ' ' || account || ' #' || version as what, balance_after::text as found from (
         select wallet, account, version, amount, balance_after,
           lag(balance_after, 1, 0::bigint) over line_before as before, lag(version, 1, 0::bigint) over line_before as version_before
         from entries where version is not null window line_before as (partition by wallet, account order by version)
       ) chained where before + amount <> balance_after or version_before + 1 <> version limit ${MOST_READ}`,
    }),
  },
]

export type Finding = Violation & { law: string }

/** The number of findings: at least so many if there may be more of an invariant than were read. */
export function countFindings(findings: readonly Finding[]): string {
  const byLaw = Map.groupBy(findings, ({ law }) => law)
  const isCut = [...byLaw.values()].some(({ length }) => length >= MOST_READ)
  return `${isCut ? 'at least ' : ''}${findings.length}`
}

/** Reads the whole ledger and returns its violations, at most `MOST_READ` for each invariant. */
export const verifyLedger = (db: Queryable): Promise<Finding[]> => findViolations(db, LAWS)

/** The violations of these invariants, which are checked one after the other. */
export async function findViolations(db: Queryable, laws: readonly Law[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { law, broken } of laws) {
    const rows = await db.rows(broken)
    findings.push(...rows.map((row) => ({ law, ...row })))
  }
  return findings
}
