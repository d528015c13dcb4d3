import { cotton } from '#game/cotton.ts'
import { runAsOwner, walletOf, walletSql } from '../seed-players.ts'
import { HABITS } from '../scale/habits.ts'
import type { BenchPostgres } from '../bench-postgres.ts'
import type { Run } from '../suite.ts'
import { formatted, type OpenedWorld, openWorld } from './fill-world.ts'

/** The habits of busy players in docs/scale.md. */
const BUSY = HABITS.find(({ name }) => name === 'busy')!.perDay

/** What a player does on a day, each with a journal: claims, and a deposit at the end of the day. */
export const MOVES_A_DAY = BUSY.claim! + BUSY.deposit!

const CLAIMED = cotton(1)
const DEPOSITED = cotton(10_000_000)
const LOGINS_A_DAY = BUSY.login!

/** The workers of a player, all hired in these days, however many they are: a list of them is as long in every world. */
const HIRES = BUSY.hire! * 365
const MS_A_DAY = 86_400_000

/** The bulk statements are of so many days. */
const DAYS_PER_STATEMENT = 30

export type YearOptions = {
  players: number
  days: number
  /** For so long nothing that expired was removed. */
  uncleanedDays: number
} & Pick<Run, 'closers'>

/**
 * Fills a new database with the days until now of players who are busy every day: journals and entries, receipts, workers,
 * and what expires. The rows are inserted past all triggers, in the order of time, and the totals are computed afterwards.
 */
export async function fillYear(postgres: BenchPostgres, options: YearOptions): Promise<OpenedWorld> {
  const { players, days, closers } = options
  return openWorld(postgres, {
    name: `year_${days}`,
    label: `${formatted(days)} days`,
    players,
    hirerFor: walletOf,
    fill: (ownerUrl) => fill(ownerUrl, options),
    closers,
  })
}

// The moves of a player are at equal distances, and those of all players at different milliseconds.
const MS_PER_MOVE = Math.floor(MS_A_DAY / MOVES_A_DAY)

async function fill(ownerUrl: string, { players, days, uncleanedDays }: YearOptions): Promise<void> {
  const everybody = `generate_series(1, ${players}) as player`
  const start = `(date_trunc('second', now()) - interval '${days} days')`
  const sum = (each: bigint, count: number) => each * BigInt(count)
  await runAsOwner(ownerUrl, [
    `set synchronous_commit = off; set session_replication_role = replica; set work_mem = '256MB'`,
    `insert into users (wallet, created_at) select ${walletSql('player')}, ${start} from ${everybody}`,
    `insert into accounts (wallet, class, balance, version) select ${walletSql('player')}, class, balance, version
     from ${everybody}, (values ('deposited'::credit_class, ${sum(DEPOSITED, days)}, ${days}),
       ('earned', ${sum(CLAIMED, days * BUSY.claim!)}, ${days * BUSY.claim!})) as held (class, balance, version)`,
    `insert into workers (wallet, worker_id, worker_type, rate_per_hour, since, claimed, purchased_at)
     select ${walletSql('player')}, 'bigman-' || lpad(player::text, 4, '0'), 'bigman', 100000, now() - interval '1 hour',
       ${sum(CLAIMED, days * BUSY.claim!)}, ${start} from ${everybody}`,
    `insert into workers (wallet, worker_id, worker_type, rate_per_hour, since, purchased_at)
     select ${walletSql('player')}, 'kid-' || lpad((1000000 + hire * ${players} + player)::text, 8, '0'), 'kid', 5000, at, at
     from ${everybody}, generate_series(1, ${HIRES}) hire,
       lateral (select ${start} + hire * interval '${days / HIRES} days' as at) t`,
    `update worker_types set max_supply = 2000000000, sold = ${players} where worker_type = 'bigman'`,
    `update worker_types set max_supply = 2000000000, sold = ${players * HIRES} where worker_type = 'kid'`,
    ...Array.from({ length: Math.ceil(days / DAYS_PER_STATEMENT) }, (_, at) => at * DAYS_PER_STATEMENT).map(
      (first) => movesOf({ players, start, first, last: Math.min(days, first + DAYS_PER_STATEMENT) - 1 }),
    ),
    ...expiring({ everybody, days, uncleanedDays }),
    `set session_replication_role = origin`,
    `select fill_totals()`,
    'vacuum analyze',
  ])
}

/** The journals, entries and receipts of some days. A journal's id is its millisecond, as in the game. */
function movesOf(of: { players: number; start: string; first: number; last: number }): string {
  const claims = BUSY.claim!
  return `with moved as materialized (
      select ${walletSql('player')} as wallet, day, move, move < ${claims} as claims, at,
        rpad(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008', 32, '0')::uuid as id
      from generate_series(${of.first}, ${of.last}) day, generate_series(0, ${claims}) move, generate_series(1, ${of.players}) player,
        lateral (select ${of.start} + day * interval '1 day' + (move * ${MS_PER_MOVE} + player) * interval '1 ms' as at) t
    ), booked as (
      insert into journals (id, wallet, kind, at, detail)
      select id, wallet, (case when claims then 'claim' else 'deposit' end)::move_kind, at,
        case when claims then '{"workerId": "bigman-0001"}' else '{}' end::jsonb from moved
    ), received as (
      insert into receipts (signature, token_account, wallet, asset, amount, slot, state, seen_at, credited_at, journal_id, told_at)
      select 'to ' || id, 'account ' || wallet, wallet, 'cotton', ${DEPOSITED}, 1, 'credited', at, at, id, at
      from moved where not claims
    )
    insert into entries (wallet, journal_id, line, account, amount, balance_after, version)
    select wallet, id, 0, (case when claims then 'emission' else 'treasury' end)::ledger_account,
      case when claims then ${-CLAIMED} else ${-DEPOSITED} end, null::bigint, null::bigint from moved
    union all
    select wallet, id, 1, (case when claims then 'earned' else 'deposited' end)::ledger_account,
      case when claims then ${CLAIMED} else ${DEPOSITED} end,
      case when claims then (day * ${claims} + move + 1) * ${CLAIMED}::bigint else (day + 1) * ${DEPOSITED}::bigint end,
      case when claims then day * ${claims} + move + 1 else day + 1 end from moved`
}

/** Rows that expire, some of each kind older than their lifetime. */
function expiring({
  everybody,
  days,
  uncleanedDays,
}: {
  everybody: string
  days: number
  uncleanedDays: number
}): string[] {
  const each = (count: number, overDays: number) =>
    `${everybody}, generate_series(1, ${Math.ceil(count * overDays)}) n,
       lateral (select now() - n * interval '${overDays / Math.ceil(count * overDays)} days' - player * interval '1 ms' as at) t`
  const wallet = walletSql('player')
  const old = Math.min(days, uncleanedDays)
  return [
    `insert into idempotency_keys (wallet, route, key, body_hash, answer, at)
     select ${wallet}, '/api/workers/claim', gen_random_uuid()::text, sha256(n::text::bytea),
       '{"success": true, "claimedAmount": 1, "newBalance": 1000}', at from ${each(MOVES_A_DAY, old)}`,
    `insert into sessions (token_hash, wallet, created_at, seen_at, ended_at)
     select sha256((player || ' ' || n)::bytea), ${wallet}, at, at, case when n % 2 = 0 then at end
     from ${each(LOGINS_A_DAY, old)}`,
    `insert into nonces (wallet, nonce, expires_at) select ${wallet}, player || ' ' || n, at from ${each(LOGINS_A_DAY, old)}`,
    `insert into withdrawal_challenges (nonce, wallet, amount, expires_at)
     select player || ' ' || n, ${wallet}, 1000000, at from ${each(1, old)}`,
    `insert into prepared_deposits (message_hash, wallet, amount, at)
     select sha256((player || ' ' || n)::bytea), ${wallet}, 1000000, at from ${each(1, old)}`,
    `insert into login_failures (name, count, at) select sha256((player || ' ' || n)::bytea), 1, at from ${each(1, old)}`,
  ]
}
