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

/** A hash of the names in these rows, in whichever order they are read. */
const hashOf = (rows: string): string =>
  `(select md5(string_agg(r.name, ' ' order by r.name)) from (${rows}) r)`

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
    ${hashOf(`select asked.state || o.id as name from unnest(array['signed', 'sent']) as asked (state) cross join lateral (
       select id from withdrawals where state = asked.state order by requested_at, id limit 100
     ) o`)} as paying,
    (select max(retry_at)::text from withdrawals where state = 'approved' and cancelled_at is null) as retried,
    (select max(judged_at)::text from withdrawals) as judged,
    (select max(settled_at)::text from withdrawals where state = 'finalized') as settled,
    ${hashOf(`select id::text as name from withdrawals where state = 'requested' order by requested_at desc limit 100`)} as open,
    (select at || nonce from operator_acts order by at desc, nonce desc limit 1) as acts,
    ${hashOf(`select signature || token_account || coalesce(why, '') as name from receipts
       where state = 'pending' and seen_at > '-infinity' order by seen_at desc limit 100`)} as pending,
    ${hashOf(`select signature as name from receipts where state = 'unclaimed' order by seen_at desc limit 100`)} as unclaimed,
    ${hashOf(`select signature as name from receipts where asset = 'cotton' and state = 'credited'
       order by credited_at desc limit 100`)} as credited,
    ${hashOf('select id::text as name from operator_log order by id desc limit 100')} as log,
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
