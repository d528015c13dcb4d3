import type { Client } from 'pg'
import { StartupError } from '../startup-error.ts'

/** The process id of the connection's backend. The types of `pg` do not declare it. */
export function backendPidOf(client: Client): number | null {
  return (client as Client & { processID?: number | null }).processID ?? null
}

/**
 * Throws a `StartupError` if a pooler is between the client and Postgres: it invents the process id that its clients
 * see. Sessions, locks and notifications would be lost there without an error.
 */
export async function assertSession(client: Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  if (rows[0]?.pid === backendPidOf(client)) return
  throw new StartupError(
    'The database is reached through a pooler here, and a session is needed: set DATABASE_DIRECT_URL to the address of Postgres itself.',
  )
}

/**
 * Lets the statements of this session take as long as they need, like those of pg_dump. An operator may have limited all
 * sessions of the server. Postgres before 17 has no `transaction_timeout`.
 */
export async function removeTimeouts(client: Client): Promise<void> {
  await client.query(
    `select set_config(name, '0', false) from pg_settings
     where name in ('statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_session_timeout',
       'idle_in_transaction_session_timeout')`,
  )
}
