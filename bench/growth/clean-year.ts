import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { EXPIRING_ROWS } from '#server/cleanup/expiring-rows.ts'
import { removeExpired } from '#server/cleanup/remove-expired.ts'
import { type Db, rowOf, sql } from '#server/platform/db/db.ts'
import { interceptStatements } from '#tests/support/intercept-statements.ts'
import { median } from '../statistics.ts'

/** Where each kind of expiring rows is, and what their age is. */
const PLACES: Record<string, { table: string; age: string }> = {
  'idempotency keys': { table: 'idempotency_keys', age: 'at' },
  'sessions that ended': { table: 'sessions', age: 'ended_at' },
  'sessions that are too old': { table: 'sessions', age: 'created_at' },
  'used login nonces': { table: 'nonces', age: 'expires_at' },
  'failed logins': { table: 'login_failures', age: 'at' },
  'withdrawal challenges': { table: 'withdrawal_challenges', age: 'expires_at' },
  'deposits that nobody signed': { table: 'prepared_deposits', age: 'at' },
}

const TABLES = [...new Set(Object.values(PLACES).map(({ table }) => table))]

export type Cleaned = {
  removed: number
  steps: number
  mostInAStep: number
  medianMs: number
  longestMs: number
  seconds: number
}

/**
 * Runs the product's cleanup with the api's login, as of one instant, until nothing expired is left. Fails if an expired row
 * is left or another is gone.
 */
export async function cleanUp(db: Db, owner: Db): Promise<Cleaned> {
  const now = new Date()
  const before = await countRows(owner, now)
  const steps: { removed: number; ms: number }[] = []
  const timing: Db = {
    ...db,
    async transaction(work) {
      let removed = 0
      const from = performance.now()
      const countRemoved = async (_statement: unknown, run: () => Promise<unknown[]>) => {
        const rows = await run()
        removed += (rows[0] as { removed?: number } | undefined)?.removed ?? 0
        return rows
      }
      const result = await db.transaction((tx) => work(interceptStatements(tx, countRemoved)))
      if (removed > 0) steps.push({ removed, ms: performance.now() - from })
      return result
    },
  }
  const from = performance.now()
  const deps = { db: timing, clock: { now: () => now }, log: pino({ level: 'silent' }) }
  await removeExpired(deps, { stopping: new AbortController().signal })
  const seconds = (performance.now() - from) / 1_000
  const after = await countRows(owner, now)
  if (after.expired > 0 || after.all !== before.all - before.expired)
    throw new Error(`before the cleanup ${JSON.stringify(before)}, after it ${JSON.stringify(after)}`)
  const times = steps.map(({ ms }) => ms)
  return {
    removed: before.expired,
    steps: steps.length,
    mostInAStep: Math.max(...steps.map(({ removed }) => removed)),
    medianMs: median(times),
    longestMs: Math.max(...times),
    seconds,
  }
}

/** The rows of all kinds, and those of them whose lifetime is over. */
async function countRows(owner: Db, now: Date): Promise<{ all: number; expired: number }> {
  const kindsOf = (table: string) => EXPIRING_ROWS.filter(({ name }) => PLACES[name]!.table === table)
  const counts = TABLES.map((table) => {
    const expired = kindsOf(table).map(
      ({ name, lifetimeMs }) =>
        `${PLACES[name]!.age} < '${new Date(now.getTime() - lifetimeMs).toISOString()}'`,
    )
    return `select count(*) as every, count(*) filter (where ${expired.join(' or ')}) as old from ${table}`
  })
  const text = `select sum(every)::float as all, sum(old)::float as expired from (${counts.join(' union all ')}) t`
  const [row] = await owner.rows(
    sql({
      name: `bench-count-expired-${now.getTime()}`,
      row: rowOf<{ all: number; expired: number }>(),
      text,
    }),
  )
  return row!
}

export type DeadRows = { table: string; live: number; dead: number; vacuums: number }

const readDeadRows = sql({
  name: 'bench-dead-rows',
  row: rowOf<DeadRows>(),
  text: `select relname as table, n_live_tup::float as live, n_dead_tup::float as dead, autovacuum_count::float as vacuums
     from pg_stat_user_tables where n_live_tup + n_dead_tup > 0 order by n_dead_tup desc, relname`,
})

// The defaults of Postgres, at which autovacuum starts.
const MOST_DEAD = ({ live, dead }: DeadRows): number => 50 + 0.2 * (live + dead)
const VACUUM_WAIT_MS = 240_000

/** Waits until autovacuum has left no table with more dead rows than its settings permit, and returns what is left. */
export async function waitForVacuum(owner: Db): Promise<{ seconds: number; left: DeadRows[] }> {
  const from = performance.now()
  for (;;) {
    const rows = await owner.rows(readDeadRows)
    const elapsedMs = performance.now() - from
    const worst = rows.filter((row) => row.dead > MOST_DEAD(row))
    if (worst.length === 0)
      return { seconds: elapsedMs / 1_000, left: rows.filter(({ dead, vacuums }) => dead + vacuums > 0) }
    if (elapsedMs > VACUUM_WAIT_MS) throw new Error(`not vacuumed: ${JSON.stringify(worst)}`)
    await sleep(1_000)
  }
}
