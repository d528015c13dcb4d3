import { MOST_COUNTED, type readLive as route } from '#contract/console/today.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { instant } from './exact.ts'

type Row = {
  review: number
  approved: number
  waiting: number
  paying: string | null
  retried: string | null
  judged: string | null
  settled: string | null
  open: string | null
  acts: string | null
  pending: string | null
  unclaimed: string | null
  credited: string | null
  log: string | null
  paused: string | null
}

// Each is the end of an index, counts a thousand rows at most, or names a hundred rows. The newest time or number alone misses a
// payout or a pending deposit that is dropped or begins to wait for something, a row of a process whose clock is behind, and one
// whose transaction commits after that of a newer row. The other times are those of the signer, which writes one after the other,
// and of acts, of which a new one also changes how many wait.
const readVersions = sql({
  name: 'console-read-live',
  row: rowOf<Row>(),
  text: `select
    (select count(*)::integer from (select from withdrawals where state = 'review' limit ${MOST_COUNTED}) r) as review,
    (select count(*)::integer from (select from withdrawals where state = 'approved' limit ${MOST_COUNTED}) p) as approved,
    (select count(*)::integer from (select from operator_acts where state = 'waiting' limit ${MOST_COUNTED}) a) as waiting,
    (select md5(string_agg(w.state || w.id::text, ' ' order by w.id))
     from unnest(array['signed', 'sent']) as asked (state) cross join lateral (
       select o.id, o.state from withdrawals o where o.state = asked.state order by o.requested_at, o.id limit 100
     ) w) as paying,
    (select max(retry_at)::text from withdrawals where state = 'approved' and cancelled_at is null) as retried,
    (select max(judged_at)::text from withdrawals) as judged,
    (select max(settled_at)::text from withdrawals where state = 'finalized') as settled,
    (select md5(string_agg(r.id::text, ' ' order by r.id)) from (
       select id from withdrawals where state = 'requested' order by requested_at desc limit 100
     ) r) as open,
    (select at || nonce from operator_acts order by at desc, nonce desc limit 1) as acts,
    (select md5(string_agg(p.signature || coalesce(p.why, ''), ' ' order by p.signature, p.token_account)) from (
       select signature, token_account, why from receipts where state = 'pending' and seen_at > '-infinity'
       order by seen_at desc limit 100
     ) p) as pending,
    (select md5(string_agg(u.signature, ' ' order by u.signature)) from (
       select signature from receipts where state = 'unclaimed' order by seen_at desc limit 100
     ) u) as unclaimed,
    (select md5(string_agg(c.signature, ' ' order by c.signature)) from (
       select signature from receipts where asset = 'cotton' and state = 'credited' order by credited_at desc limit 100
     ) c) as credited,
    (select md5(string_agg(l.id::text, ' ' order by l.id)) from (
       select id from operator_log order by id desc limit 100
     ) l) as log,
    (select value ->> 'id' from settings where name = 'withdrawals_paused') as paused`,
})

/** A version of each kind of list. It changes when the list has changed. */
export async function readLive(db: Queryable, now: Date): Promise<ConsoleReply<typeof route>> {
  const [row] = await db.rows(readVersions)
  const version = (...parts: (string | number | null | undefined)[]) =>
    parts.map((part) => part ?? '').join('/')
  // The signer logs each act that it decides, so the log tells that an act or a withdrawal has changed.
  return {
    at: instant(now),
    versions: {
      withdrawals: version(
        row?.review,
        row?.approved,
        row?.paying,
        row?.retried,
        row?.judged,
        row?.settled,
        row?.open,
        row?.acts,
        row?.log,
      ),
      deposits: version(row?.pending, row?.unclaimed, row?.credited),
      acts: version(row?.waiting, row?.acts, row?.log),
      log: version(row?.log),
      pause: version(row?.paused),
    },
    review: row?.review ?? 0,
    waitingActs: row?.waiting ?? 0,
  }
}
