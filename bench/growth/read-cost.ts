import { type Db, openDb, rowOf, sql } from '#server/platform/db/db.ts'
import { cpuTimeOf } from '../cpu-time.ts'
import type { Run } from '../suite.ts'

/** The resources that one database has used so far. */
export type Cost = {
  /** Seconds of this process and of the database's connections. */
  nodeSeconds: number
  postgresSeconds: number
  pages: number
  /** Pages among these that were not in the cache of Postgres. */
  pagesRead: number
  walBytes: number
  /** Pages that were written whole to the WAL, at their first change after a checkpoint. */
  fullPageImages: number
}

/** Reads the cost so far, while nothing else runs on the cluster. */
export type CostReader = () => Promise<Cost>

type Row = { touched: number; read: number; wal: number; whole: number }

const readCounts = sql({
  name: 'bench-growth-counts',
  row: rowOf<Row>(),
  text: `select (d.blks_hit + d.blks_read)::float as touched, d.blks_read::float as read, w.wal_fpi::float as whole,
     (pg_current_wal_insert_lsn() - '0/0')::float as wal
   from pg_stat_database d, pg_stat_wal w where d.datname = current_database()`,
})

const readPids = sql({
  name: 'bench-growth-pids',
  params: { role: 'text' },
  row: rowOf<{ pid: number }>(),
  text: ({ role }) =>
    `select pid from pg_stat_activity where datname = current_database() and usename = ${role}`,
})

const flushNow = sql({ name: 'bench-growth-flush-statistics', text: 'select pg_stat_force_next_flush()' })

/** For the database that `db` uses over this many connections. */
export function openCostReader(
  ownerUrl: string,
  { db, connections, closers }: { db: Db; connections: number } & Pick<Run, 'closers'>,
): CostReader {
  const owner = openDb(ownerUrl, { max: 1, applicationName: 'bench-readCost', allowFullScans: true })
  closers.push(() => owner.end())
  return async () => {
    await flushCounts(db, connections)
    const [counts] = await owner.rows(readCounts)
    const backends = await owner.rows(readPids, { role: 'api' })
    const { user, system } = process.cpuUsage()
    return {
      nodeSeconds: (user + system) / 1e6,
      postgresSeconds: backends.reduce((sum, { pid }) => sum + (cpuTimeOf(pid) ?? 0), 0),
      pages: counts!.touched,
      pagesRead: counts!.read,
      walBytes: counts!.wal,
      fullPageImages: counts!.whole,
    }
  }
}

/** Lets each connection report its counters, which otherwise takes a second or more. */
async function flushCounts(db: Db, connections: number): Promise<void> {
  let taken = 0
  const all = Promise.withResolvers<void>()
  const flush = () =>
    db.transaction(async (tx) => {
      await tx.rows(flushNow)
      taken += 1
      if (taken === connections) all.resolve()
      // Each query waits until all connections are in use, so that every connection reports.
      await all.promise
    })
  await Promise.all(Array.from({ length: connections }, flush))
}
