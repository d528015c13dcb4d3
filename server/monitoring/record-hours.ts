import { OPERATOR } from '#game/credit.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { firstJournalId } from '#server/ledger/journal-id.ts'
import { owedBy, tokensOf } from '#server/solvency/compare-reserve.ts'
import { readCreditSupply } from '#server/solvency/read-credit-supply.ts'
import { readSnapshot } from '#server/solvency/reserve-snapshot.ts'

const HOUR_MS = 3_600_000

/** A transaction that began in the hour may commit a little later. */
const MARGIN_MS = 60_000

/** How far back hours are filled in, for example after the watcher was down. */
const MAX_HOURS = 31 * 24

/** How many hours one call records at most, so that no call takes long. */
const HOURS_PER_CALL = 24

// A clock that was ahead may have recorded hours that are not over.
const readNewest = sql({
  name: 'hours-read-newest',
  params: { present: 'timestamptz' },
  row: rowOf<{ newest: Date | null; first: Date | null }>(),
  text: ({ present }) => `select (select max(hour) from hourly_totals where hour < ${present}) as newest,
    (select at from journals order by id limit 1) as first`,
})

/** The same land may be resold so often in an hour that a sum exceeds a bigint. */
const ofBigint = (sum: string): string => `least(coalesce(${sum}, 0), 9223372036854775807)::bigint`

// The journals of the hour are one range of their ids. Each is read once, or twice if the process was started again.
// Those of the operator name no player.
const countJournals = sql({
  name: 'hours-count-journals',
  params: { from: 'uuid', before: 'uuid' },
  row: rowOf<{
    players: number
    claims: number
    hires: number
    parcels: number
    resales: number
    volume: bigint
  }>(),
  text: ({ from, before }) =>
    `select count(distinct wallet) filter (where wallet <> '${OPERATOR}')::integer as players,
       count(*) filter (where kind = 'claim')::integer as claims,
       count(*) filter (where kind = 'hire')::integer as hires,
       count(*) filter (where kind = 'parcel')::integer as parcels,
       count(*) filter (where kind = 'resale')::integer as resales,
       (select ${ofBigint('sum(l.price)')} from journals r join listings l on l.journal_id = r.id
        where r.kind = 'resale' and r.id >= ${from} and r.id < ${before}) as volume
     from journals where id >= ${from} and id < ${before}`,
})

const sumOthers = sql({
  name: 'hours-sum-others',
  params: { from: 'timestamptz', before: 'timestamptz' },
  row: rowOf<{ newPlayers: number; deposited: bigint; withdrawn: bigint }>(),
  text: ({ from, before }) =>
    `select
       (select count(*)::integer from users where created_at >= ${from} and created_at < ${before}) as "newPlayers",
       (select ${ofBigint('sum(amount)')} from receipts
        where asset = 'cotton' and state = 'credited' and credited_at >= ${from} and credited_at < ${before}) as deposited,
       (select ${ofBigint('sum(deposited + earned)')} from withdrawals
        where state = 'finalized' and settled_at >= ${from} and settled_at < ${before}) as withdrawn`,
})

const readSize = sql({
  name: 'hours-read-size',
  row: rowOf<{ bytes: bigint }>(),
  text: 'select pg_database_size(current_database()) as bytes',
})

// What stood at the end of an hour cannot be read again later.
const writeHour = sql({
  name: 'hours-write',
  params: {
    hour: 'timestamptz',
    players: 'integer',
    newPlayers: 'integer',
    claims: 'integer',
    hires: 'integer',
    parcels: 'integer',
    resales: 'integer',
    volume: 'bigint',
    deposited: 'bigint',
    withdrawn: 'bigint',
    pool: 'bigint | null',
    tokens: 'bigint | null',
    owed: 'bigint | null',
    bytes: 'bigint | null',
  },
  text: (of) =>
    `insert into hourly_totals (hour, players, new_players, claims, hires, parcels, resales, volume, deposited, withdrawn,
       pool, tokens, owed, database_bytes)
     values (${of.hour}, ${of.players}, ${of.newPlayers}, ${of.claims}, ${of.hires}, ${of.parcels}, ${of.resales},
       ${of.volume}, ${of.deposited}, ${of.withdrawn}, ${of.pool}, ${of.tokens}, ${of.owed}, ${of.bytes})
     on conflict (hour) do update set players = excluded.players, new_players = excluded.new_players,
       claims = excluded.claims, hires = excluded.hires, parcels = excluded.parcels, resales = excluded.resales,
       volume = excluded.volume, deposited = excluded.deposited, withdrawn = excluded.withdrawn,
       pool = coalesce(hourly_totals.pool, excluded.pool), tokens = coalesce(hourly_totals.tokens, excluded.tokens),
       owed = coalesce(hourly_totals.owed, excluded.owed),
       database_bytes = coalesce(hourly_totals.database_bytes, excluded.database_bytes)`,
})

/**
 * Creates a round that records what happened in each hour that is over and not recorded yet, oldest first. It records the
 * last hour once itself: what is stored may be from a clock that was ahead, before the hour was over. Requires the watcher's
 * login. A round returns how many hours it recorded.
 */
export function createHoursRound({ db, clock }: { db: Queryable; clock: Clock }): () => Promise<number> {
  let recorded: number | null = null
  return async () => {
    const now = clock.now().getTime()
    const present = hourOf(now - MARGIN_MS)
    const last = present - HOUR_MS
    const [stored] = await db.rows(readNewest, { present: new Date(present) })
    const newest = stored?.newest?.getTime()
    const next = newest === undefined ? hourOf(stored?.first?.getTime() ?? now) : newest + HOUR_MS
    const from = Math.max(next, present - MAX_HOURS * HOUR_MS)
    const missing = Array.from({ length: HOURS_PER_CALL }, (_, at) => from + at * HOUR_MS).filter(
      (hour) => hour < present,
    )
    const hours = newest === last && recorded !== last ? [last] : missing
    for (const hour of hours) await recordHour(db, { hour, isLast: hour === last })
    recorded = hours.at(-1) ?? recorded
    return hours.length
  }
}

const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS

async function recordHour(db: Queryable, { hour, isLast }: { hour: number; isLast: boolean }): Promise<void> {
  const [from, before] = [new Date(hour), new Date(hour + HOUR_MS)]
  const [counts] = await db.rows(countJournals, {
    from: firstJournalId(from),
    before: firstJournalId(before),
  })
  const [sums] = await db.rows(sumOthers, { from, before })
  const state = isLast ? await readState(db) : { pool: null, tokens: null, owed: null, bytes: null }
  if (counts && sums) await db.rows(writeHour, { hour: from, ...counts, ...sums, ...state })
}

/** What stands now, a minute after the end of the hour. */
async function readState(db: Queryable) {
  const [{ pool }, snapshot, [size]] = await Promise.all([
    readCreditSupply(db),
    readSnapshot(db),
    db.rows(readSize),
  ])
  return {
    pool,
    tokens: snapshot && tokensOf(snapshot),
    owed: snapshot && owedBy(snapshot),
    bytes: size?.bytes ?? null,
  }
}
