import { type Client, escapeLiteral } from 'pg'
import { waitForDatabase } from '#server/platform/db/wait-for-database.ts'

/**
 * Lets Postgres end the connection of `client` after `limitMs`, from a connection of its own, so that it also happens when
 * this process is gone. Postgres 17 has a setting for this (transaction_timeout), but the game runs on 15, too. `stop`
 * returns whether it happened.
 */
export async function endAfter(
  client: Client,
  { url, limitMs }: { url: string; limitMs: number },
): Promise<{ stop(): Promise<boolean> }> {
  const { rows } = await client.query<{ pid: number; since: string }>(
    'select pid, backend_start::text as since from pg_stat_activity where pid = pg_backend_pid()',
  )
  const { pid, since } = rows[0]!
  const other = await waitForDatabase({ url, applicationName: 'upgrade-check', waitMs: 0 })
  // It is ended below.
  other.on('error', () => undefined)
  const { rows: own } = await other.query<{ pid: number }>('select pg_backend_pid() as pid')
  await other.query('set statement_timeout = 0')
  // A later connection may have the same pid, but it starts later.
  const ending = other
    .query(
      `select pg_sleep(${limitMs / 1000});
       select pg_terminate_backend(pid) from pg_stat_activity
       where pid = ${pid} and backend_start = ${escapeLiteral(since)}::timestamptz`,
    )
    .then(
      (results) => [results].flat().at(-1)?.rowCount === 1,
      () => false,
    )
  return {
    async stop() {
      // Fails if it happened. A mere cancellation would be lost if Postgres has not read the query yet.
      await client.query('select pg_terminate_backend($1)', [own[0]!.pid]).catch(() => undefined)
      const hasEnded = await ending
      await other.end()
      return hasEnded
    },
  }
}
