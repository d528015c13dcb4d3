import {
  type Finding,
  findViolations,
  type Law,
  MOST_READ,
  type Violation,
} from '#server/ledger/verify-ledger.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'

const row = rowOf<Violation>()

const LAWS: readonly Law[] = [
  {
    law: 'the totals of a token account are the sums of its receipts and sweeps',
    broken: sql({
      name: 'audit-token-account-totals',
      row,
      text: `with summed as (
         select token_account, sum(credited) as credited, sum(unclaimed) as unclaimed, sum(swept) as swept from (
           select token_account, case state when 'credited' then amount else 0 end as credited,
             case state when 'unclaimed' then amount else 0 end as unclaimed, 0 as swept
           from receipts where asset = 'cotton' and state in ('credited', 'unclaimed')
           union all
           select token_account, 0, 0, amount from sweeps where state = 'finalized'
         ) each group by token_account
       )
       select token_account as what,
         format('totals: %s credited, %s unclaimed, %s swept; sums of rows: %s, %s, %s', coalesce(t.credited, 0), coalesce(t.unclaimed, 0),
           coalesce(t.swept, 0), coalesce(s.credited, 0), coalesce(s.unclaimed, 0), coalesce(s.swept, 0)) as found
       from token_account_totals t full join summed s using (token_account)
       where coalesce(t.credited, 0) <> coalesce(s.credited, 0) or coalesce(t.unclaimed, 0) <> coalesce(s.unclaimed, 0)
         or coalesce(t.swept, 0) <> coalesce(s.swept, 0) or t.is_open <> (t.credited > 0 and t.credited <> t.swept) limit ${MOST_READ}`,
    }),
  },
  {
    law: 'the totals of credit are the sums of balances and entries',
    broken: sql({
      name: 'audit-credit-totals',
      row,
      text: `with totals as (
         select coalesce(sum(deposited), 0) as deposited, coalesce(sum(pool), 0) as pool, coalesce(sum(held), 0) as held,
           coalesce(sum(emission), 0) as emission, coalesce(sum(burned), 0) as burned, coalesce(sum(spent), 0) as spent
         from credit_totals
       ), summed as (
         select (select coalesce(sum(balance), 0) from accounts where class = 'deposited') as deposited,
           coalesce(sum(amount) filter (where account = 'pool'), 0) as pool,
           coalesce(sum(amount) filter (where account = 'held'), 0) as held,
           coalesce(sum(amount) filter (where account = 'emission'), 0) as emission,
           coalesce(sum(amount) filter (where account = 'burned'), 0) as burned,
           coalesce(sum(amount) filter (
             where account = 'pool'
               and (select kind from journals j where j.id = entries.journal_id) in ('hire', 'parcel', 'resale')
           ), 0) as spent
         from entries where account in ('pool', 'held', 'emission', 'burned')
       )
       select kind as what, format('total: %s; sum of rows: %s', total, sum) as found
       from totals t, summed s, lateral (values
         ('deposited', t.deposited, s.deposited), ('pool', t.pool, s.pool), ('held', t.held, s.held),
         ('emission', t.emission, s.emission), ('burned', t.burned, s.burned), ('spent', t.spent, s.spent)
       ) as compared (kind, total, sum) where total <> sum`,
    }),
  },
]

/** Compares the running totals with the sums over all receipts, sweeps, balances and entries. Returns the differences. */
export const auditTotals = (db: Queryable): Promise<Finding[]> => findViolations(db, LAWS)
