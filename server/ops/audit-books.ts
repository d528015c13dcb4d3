import {
  type Finding,
  findViolations,
  type Law,
  MOST_READ,
  verifyLedger,
  type Violation,
} from '#server/ledger/verify-ledger.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { auditTotals } from '#server/solvency/audit-totals.ts'
import { auditMilestones } from './audit-milestones.ts'
import { auditPrices } from './audit-prices.ts'

const row = rowOf<Violation>()

/** The tables of the features must agree with the ledger. */
export const AGREEMENTS: readonly Law[] = [
  {
    law: 'each type has as many workers as were sold',
    broken: sql({
      name: 'audit-supply',
      row,
      text: `select t.worker_type as what, t.sold || ' sold, ' || count(w.*) || ' owned' as found
       from worker_types t left join workers w using (worker_type) group by t.worker_type, t.sold having t.sold <> count(w.*)`,
    }),
  },
  {
    law: 'every worker was hired once by its owner, and every hire has its worker',
    broken: sql({
      name: 'audit-hires',
      row,
      text: `with hired as (
         select wallet, detail ->> 'workerId' as worker_id, count(*) as times from journals where kind = 'hire' group by 1, 2
       )
       select coalesce(w.worker_id, h.worker_id, 'no worker') as what,
         'of ' || coalesce(w.wallet, 'nobody') || ', hired ' || coalesce(h.times, 0) || ' times by ' || coalesce(h.wallet, 'its owner') as found
       from workers w full join hired h on h.wallet = w.wallet and h.worker_id = w.worker_id
       where w.worker_id is null or h.times is distinct from 1 limit ${MOST_READ}`,
    }),
  },
  {
    law: 'the claimed amounts of workers match the ledger',
    broken: sql({
      name: 'audit-claims',
      row,
      text: `with paid as (select wallet, sum(claimed) as total from workers group by wallet),
       booked as (
         select e.wallet, -sum(e.amount) as total from entries e join journals j on j.wallet = e.wallet and j.id = e.journal_id
         where e.account = 'emission' and j.kind = 'claim' group by e.wallet
       )
       select coalesce(p.wallet, b.wallet) as what, coalesce(p.total, 0) || ' paid, ' || coalesce(b.total, 0) || ' booked' as found
       from paid p full join booked b on b.wallet = p.wallet
       where coalesce(p.total, 0) <> coalesce(b.total, 0) limit ${MOST_READ}`,
    }),
  },
  {
    law: 'every credited receipt has its journal, and every deposit journal its receipt',
    broken: sql({
      name: 'audit-deposits',
      row,
      text: `with booked as (
         select j.id, sum(e.amount) as amount from journals j join entries e on e.wallet = j.wallet and e.journal_id = j.id
         where j.kind = 'deposit' and e.account = 'deposited' group by j.id
       )
       select coalesce(r.signature, b.id::text) as what, coalesce(r.amount, 0) || ' received, ' || coalesce(b.amount, 0) || ' booked' as found
       from (select * from receipts where state = 'credited') r full join booked b on b.id = r.journal_id
       where r.amount is distinct from b.amount limit ${MOST_READ}`,
    }),
  },
  {
    law: 'the held amount is the sum of open withdrawals',
    broken: sql({
      name: 'audit-held',
      row,
      text: `select 'held' as what, h.total || ' held, ' || o.total || ' open' as found from
       (select coalesce(sum(amount), 0) as total from entries where account = 'held') h,
       (select coalesce(sum(deposited + earned), 0) as total from withdrawals where state not in ('finalized', 'refunded')) o
       where h.total <> o.total`,
    }),
  },
  {
    law: 'every cancellation returned exactly one cancelled withdrawal',
    broken: sql({
      name: 'audit-cancellations',
      row,
      text: `with returned as (
         select j.detail ->> 'withdrawalId' as id, j.wallet, count(distinct j.id) as times,
           coalesce(sum(e.amount) filter (where e.account = 'deposited'), 0) as deposited,
           coalesce(sum(e.amount) filter (where e.account = 'earned'), 0) as earned
         from journals j join entries e on e.wallet = j.wallet and e.journal_id = j.id
         where j.kind = 'cancellation' group by 1, 2
       )
       select r.id as what, r.times || ' times, ' || r.deposited || ' and ' || r.earned as found
       from returned r left join withdrawals w on w.id::text = r.id
         and w.wallet = r.wallet and w.state = 'refunded' and w.cancelled_at is not null
       where r.times > 1 or r.deposited is distinct from w.deposited or r.earned is distinct from w.earned limit ${MOST_READ}`,
    }),
  },
  {
    law: 'the spent budget of a day is the earned credit of its withdrawals',
    broken: sql({
      name: 'audit-budget',
      row,
      text: `select d.day::text as what, d.spent || ' spent, ' || coalesce(sum(w.earned), 0) || ' withdrawn' as found
       from reward_days d left join withdrawals w on w.day = d.day and w.state <> 'refunded'
       group by d.day, d.spent, d.budget having d.spent <> coalesce(sum(w.earned), 0) or d.spent > d.budget`,
    }),
  },
  {
    law: 'a withdrawal uses the budget of the day on which it was requested',
    broken: sql({
      name: 'audit-withdrawal-days',
      row,
      text: `select w.id::text as what, 'budget of ' || w.day || ', requested at ' || w.requested_at
         || case when d.day is null and w.earned > 0 then ', but that day has no budget' else '' end as found
       from withdrawals w left join reward_days d on d.day = w.day
       where w.state <> 'refunded' and (
         not isfinite(w.day) or not isfinite(w.requested_at) or d.day is null and w.earned > 0
         or abs(w.day - (w.requested_at at time zone 'UTC')::date) > 1
       ) limit ${MOST_READ}`,
    }),
  },
  {
    law: 'the amounts that operators took back of payouts match the ledger',
    broken: sql({
      name: 'audit-restored',
      row,
      text: `with taken as (
         select journal_id as id, signature, deposited + earned as amount from restored_payouts where journal_id is not null
         union all
         select borne_journal_id, signature, borne from restored_payouts where borne_journal_id is not null
       ), booked as (
         select j.id, sum(e.amount) as amount from journals j join entries e on e.wallet = j.wallet and e.journal_id = j.id
         where j.kind = 'adjustment' and e.account = 'treasury' and j.detail ->> 'withdrawalId' is not null group by j.id
       )
       select coalesce(t.signature, b.id::text) as what, coalesce(t.amount, 0) || ' taken, ' || coalesce(b.amount, 0) || ' booked' as found
       from taken t full join booked b using (id) where t.amount is distinct from b.amount limit ${MOST_READ}`,
    }),
  },
  {
    law: 'each continent has as much land as it counts',
    broken: sql({
      name: 'audit-land',
      row,
      text: `select c.code as what, c.owned || ' sold, ' || count(l.*) || ' owned' as found
       from continents c full join land l on l.region = c.code group by c.code, c.owned having c.owned is distinct from count(l.*)`,
    }),
  },
  {
    law: 'the prices paid for land match the ledger',
    broken: sql({
      name: 'audit-land-paid',
      row,
      text: `with booked as (
         select j.id, j.detail ->> 'parcelId' as parcel_id, -sum(e.amount) as amount
         from journals j join entries e on e.wallet = j.wallet and e.journal_id = j.id
         where j.kind = 'parcel' and e.version is not null group by j.id
       )
       select coalesce(l.parcel_id, b.parcel_id, b.id::text) as what,
         coalesce(l.price_paid, 0) || ' paid, ' || coalesce(b.amount, 0) || ' booked' as found
       from land l full join booked b on b.id = l.journal_id
       where l.price_paid is distinct from b.amount or l.parcel_id is distinct from b.parcel_id limit ${MOST_READ}`,
    }),
  },
  {
    // Sales are counted and not ordered, because the times of a clock that was set back have another order.
    law: 'land belongs to its last buyer',
    broken: sql({
      name: 'audit-owners',
      row,
      text: `select parcel_id as what,
         owner || ' owns it: bought ' || bought || ' and sold ' || sold || ' times after ' || first || ' had bought it first' as found
       from (
         select l.parcel_id, l.wallet as owner, j.wallet as first,
           count(*) filter (where s.buyer = l.wallet) as bought, count(*) filter (where s.seller = l.wallet) as sold
         from land l join journals j on j.id = l.journal_id
         left join listings s on s.parcel_id = l.parcel_id and s.state = 'sold'
         group by l.parcel_id, l.wallet, j.wallet
       ) counted
       where bought - sold <> case when owner <> first then 1 else 0 end limit ${MOST_READ}`,
    }),
  },
  {
    law: 'every sold listing was paid at its price, and every resale has its listing',
    broken: sql({
      name: 'audit-resales',
      row,
      text: `with booked as (
         select j.id, j.wallet as buyer, -sum(e.amount) as amount from journals j
         join entries e on e.wallet = j.wallet and e.journal_id = j.id and e.version is not null
         where j.kind = 'resale' group by j.id
       )
       select coalesce(s.id::text, b.id::text) as what, coalesce(s.price, 0) || ' asked, ' || coalesce(b.amount, 0) || ' paid' as found
       from (select * from listings where state = 'sold') s full join booked b on b.id = s.journal_id
       where s.price is distinct from b.amount or s.buyer is distinct from b.buyer limit ${MOST_READ}`,
    }),
  },
]

/** Audits the whole database: the rules of the ledger, and that workers, land, milestones, deposits and withdrawals agree with it. */
export async function auditBooks(db: Db): Promise<Finding[]> {
  return [
    ...(await verifyLedger(db)),
    ...(await auditTotals(db)),
    ...(await auditPrices(db)),
    ...(await auditMilestones(db)),
    ...(await findViolations(db, AGREEMENTS)),
  ]
}
