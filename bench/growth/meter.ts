import { type Db, openDb, sql } from '#server/platform/db/db.ts'
import { processorOf } from '../processor-of.ts'
import type { Course } from '../suite.ts'

/** What has been spent so far on one database, its counts only ever grow. */
export type Spent = {
  /** Seconds of this process and of the database's connections. */
  nodeSeconds: number
  postgresSeconds: number
  pages: number
  /** Of these the ones that Postgres had to ask the system for. */
  pagesRead: number
  walBytes: number
  /** Pages that the log took whole, because a checkpoint came before their change. */
  wholePages: number
}

/** Reads what a database has spent. Asked while nothing else runs on its cluster. */
export type Meter = () => Promise<Spent>

type Row = { touched: number; read: number; wal: number; whole: number }

const readCounts = sql(
  'bench-growth-counts',
  `select (d.blks_hit + d.blks_read)::float as touched, d.blks_read::float as read, w.wal_fpi::float as whole,
     (pg_current_wal_insert_lsn() - '0/0')::float as wal
   from pg_stat_database d, pg_stat_wal w where d.datname = current_database()`,
)

const readPids = sql(
  'bench-growth-pids',
  'select pid from pg_stat_activity where datname = current_database() and usename = $1',
)

const tellNow = sql('bench-growth-tell', 'select pg_stat_force_next_flush()')

/** Opens a meter of the database that the api asks over so many connections. */
export function openMeter(
  ownerUrl: string,
  { db, connections, closers }: { db: Db; connections: number } & Pick<Course, 'closers'>,
): Meter {
  const owner = openDb(ownerUrl, { max: 1, applicationName: 'bench-meter', allowFullScans: true })
  closers.push(() => owner.end())
  return async () => {
    await tellCounts(db, connections)
    const [counts] = await owner.rows<Row>(readCounts)
    const backends = await owner.rows<{ pid: number }>(readPids, ['api'])
    const { user, system } = process.cpuUsage()
    return {
      nodeSeconds: (user + system) / 1e6,
      postgresSeconds: backends.reduce((sum, { pid }) => sum + (processorOf(pid) ?? 0), 0),
      pages: counts!.touched,
      pagesRead: counts!.read,
      walBytes: counts!.wal,
      wholePages: counts!.whole,
    }
  }
}

/** Each connection tells what it has counted, which by itself it does a second later or more. */
async function tellCounts(db: Db, connections: number): Promise<void> {
  let taken = 0
  const all = Promise.withResolvers<void>()
  const tell = () =>
    db.transaction(async (tx) => {
      await tx.rows(tellNow)
      taken += 1
      if (taken === connections) all.resolve()
      // None is given back before all are taken, so that each of them is asked.
      await all.promise
    })
  await Promise.all(Array.from({ length: connections }, tell))
}
