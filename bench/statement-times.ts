import { Client } from 'pg'

/** A statement of all connections since the last reset. */
export type StatementTime = { text: string; calls: number; rows: number; ms: number }

/** The setting without which Postgres keeps no times. */
export const KEEPS_TIMES = 'shared_preload_libraries=pg_stat_statements'

/** What each statement took within Postgres, the commit with its flush too; the costliest first. */
export async function openStatementTimes(ownerUrl: string) {
  const client = new Client({ connectionString: ownerUrl, application_name: 'bench-times' })
  client.on('error', () => {})
  await client.connect()
  await client.query('create extension if not exists pg_stat_statements')
  return {
    reset: () => client.query('select pg_stat_statements_reset()'),
    async read(): Promise<StatementTime[]> {
      const { rows } = await client.query<StatementTime>(
        `select regexp_replace(query, '\\s+', ' ', 'g') as text, sum(calls)::float as calls, sum(rows)::float as rows,
           sum(total_exec_time + total_plan_time)::float as ms
         from pg_stat_statements join pg_roles r on r.oid = userid
         where r.rolname = 'api' group by 1 order by 4 desc`,
      )
      return rows
    },
    /** The processes of Postgres that are at work. */
    async pids(): Promise<number[]> {
      const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity')
      return rows.map((row) => row.pid)
    },
    end: () => client.end(),
  }
}
