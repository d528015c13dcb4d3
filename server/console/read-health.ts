import type { readHealth as route } from '#contract/console/health.ts'
import type { ConsoleReply } from '#contract/console/route.ts'
import { type Queryable, rowOf, sql } from '#server/platform/db/db.ts'
import { type MoneyState, readMoney } from '#server/monitoring/read-money.ts'
import { standingOf } from '#server/withdrawals/reserve-standing.ts'
import { instant, instantOrNull } from './exact.ts'

type Health = ConsoleReply<typeof route>
type RoleHealth = Health['roles'][number]

// Every login sees the logins of all sessions, and of others nothing more.
const readConnections = sql({
  name: 'console-read-connections',
  row: rowOf<{ login: string; count: number }>(),
  text: `select usename::text as login, count(*)::integer as count from pg_stat_activity
    where datname = current_database() and usename is not null group by 1`,
})

const readDatabase = sql({
  name: 'console-read-database',
  row: rowOf<{ bytes: bigint; max: number; postgres: string; schema: string }>(),
  text: `select pg_database_size(current_database()) as bytes, current_setting('max_connections')::integer as max,
      current_setting('server_version') as postgres, (select max(name) from schema_migrations) as schema`,
})

const readTables = sql({
  name: 'console-read-tables',
  row: rowOf<{ name: string; bytes: bigint; rows: bigint }>(),
  text: `select relname::text as name, pg_total_relation_size(oid) as bytes, greatest(reltuples, 0)::bigint as rows
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    order by pg_total_relation_size(oid) desc limit 10`,
})

const readStandbys = sql({
  name: 'console-read-standbys',
  row: rowOf<{ name: string; state: string; lagMs: number | null }>(),
  text: `select application_name as name, coalesce(state, 'unknown') as state,
      round(extract(epoch from replay_lag) * 1000)::float8 as "lagMs"
    from pg_stat_replication order by application_name limit 20`,
})

// Nothing is recorded while the watcher stands still. An older size would show the growth of days.
const readDayAgo = sql({
  name: 'console-read-size-day-ago',
  params: { dayAgo: 'timestamptz' },
  row: rowOf<{ bytes: bigint }>(),
  text: ({ dayAgo }) =>
    `select database_bytes as bytes from hourly_totals
     where hour <= ${dayAgo} and hour > ${dayAgo} - interval '2 hours' and database_bytes is not null
     order by hour desc limit 1`,
})

const DAY_MS = 24 * 3_600_000

const STAGES = {
  lanes: 'It advances the nonces of its lanes, and signs nothing new yet.',
  history: 'It compares the treasury’s history with the books, and signs nothing new yet.',
  ready: 'It signs payouts.',
}

/** Roles, versions, the database and its backups. */
export async function readHealth(
  db: Queryable,
  { now, version }: { now: Date; version: string },
): Promise<Health> {
  const [state, logins, [database], tables, standbys, [dayAgo]] = await Promise.all([
    readMoney(db, now),
    db.rows(readConnections),
    db.rows(readDatabase),
    db.rows(readTables),
    db.rows(readStandbys),
    db.rows(readDayAgo, { dayAgo: new Date(now.getTime() - DAY_MS) }),
  ])
  const bytes = Number(database?.bytes ?? 0)
  const snapshotAt = state.snapshot?.at ?? null
  return {
    at: instant(now),
    roles: rolesOf(state, { now, connections: new Map(logins.map(({ login, count }) => [login, count])) }),
    versions: {
      program: version,
      node: process.version.slice(1),
      postgres: database?.postgres ?? '',
      schema: database?.schema ?? '',
    },
    database: {
      bytes,
      grownBytes: dayAgo ? bytes - Number(dayAgo.bytes) : null,
      connections: logins.reduce((total, { count }) => total + count, 0),
      maxConnections: database?.max ?? 0,
      tables: tables.map(({ name, bytes: size, rows }) => ({
        name,
        bytes: Number(size),
        rows: Number(rows),
      })),
      standbys,
    },
    watcherLagMs: snapshotAt && Math.max(0, now.getTime() - snapshotAt.getTime()),
    backups: {
      lastAt: instantOrNull(state.backupAt),
      failedAt: instantOrNull(state.backupFailedAt),
      drillAt: instantOrNull(state.drillAt),
      drillFailedAt: instantOrNull(state.drillFailedAt),
    },
  }
}

/** A role runs if it has connections; signer and watcher also write that they work. */
function rolesOf(
  { signer, snapshot }: MoneyState,
  { now, connections }: { now: Date; connections: ReadonlyMap<string, number> },
): RoleHealth[] {
  const role = (name: RoleHealth['role'], seenAt: Date | null, detail: string): RoleHealth => {
    const count = connections.get(name) ?? 0
    const isSilent = count === 0 || (name === 'signer' && signer?.silent !== false)
    const sentence = count === 0 ? 'It has no connection to the database.' : detail
    return {
      role: name,
      state: isSilent ? 'silent' : 'running',
      connections: count,
      seenAt: instantOrNull(seenAt),
      detail: sentence,
    }
  }
  return [
    role('api', null, 'It serves players.'),
    role('watcher', snapshot?.at ?? null, watcherDetail(snapshot, now)),
    role('signer', signer?.at ?? null, signerDetail(signer)),
    role('console', null, 'It serves this page.'),
  ]
}

// A signer that stands by, or one that hangs, has connections, too.
function signerDetail(signer: MoneyState['signer']): string {
  if (!signer) return 'It has never run on this database.'
  return signer.silent
    ? 'It has recorded no heartbeat since then: see the runbook of SignerSilent.'
    : STAGES[signer.stage]
}

function watcherDetail(snapshot: MoneyState['snapshot'], now: Date): string {
  if (!snapshot) return 'It has not checked the reserve yet.'
  return standingOf(snapshot, now) === 'unseen'
    ? 'It has not checked the reserve since then: see the runbook of ReserveUnchecked.'
    : 'It checks the reserve.'
}
