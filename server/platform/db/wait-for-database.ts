import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { errorCode, StartupError } from '../startup-error.ts'
import { isDatabaseUnavailable } from './db.ts'

export interface WaitForDatabaseOptions {
  url: string
  applicationName: string
  /** How long a database that cannot be reached is waited for. */
  waitMs: number
  /** Called once when the wait begins, with the reason. */
  onWait?: (reason: string) => void
  /** Ends the wait. */
  signal?: AbortSignal
}

const RETRY_MS = 500

/**
 * One connection to the database of a URL; the caller ends it. A server that cannot be reached or is still starting is
 * tried again until `waitMs` have passed. A `StartProblem` with one sentence when it stays away, and at once when it
 * refuses the login.
 */
export async function waitForDatabase(options: WaitForDatabaseOptions): Promise<Client> {
  const deadline = performance.now() + options.waitMs
  for (let attempt = 1; ; attempt++) {
    try {
      return await connect(options)
    } catch (error) {
      if (!isUnreachable(error)) throw new StartupError(describeRefusal(error, options.url))
      if (performance.now() >= deadline || options.signal?.aborted)
        throw new StartupError(describeUnreachable(error, options))
      if (attempt === 1) options.onWait?.(describeReason(error))
      // Rejects when the wait is called off; the next try then says why it ended.
      await sleep(RETRY_MS, undefined, { signal: options.signal }).catch(() => undefined)
    }
  }
}

async function connect({ url, applicationName }: WaitForDatabaseOptions): Promise<Client> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: applicationName,
  })
  // A lost connection rejects the running query; without a listener it would end the process as well.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

// The name is not known yet, or no packet gets through: in a cluster that starts, both pass.
const UNREACHABLE_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'])

const isUnreachable = (error: unknown): boolean =>
  isDatabaseUnavailable(error) ||
  UNREACHABLE_CODES.has(errorCode(error)) ||
  (error instanceof Error && error.message === 'timeout expired')

const describeUnreachable = (error: unknown, { waitMs }: WaitForDatabaseOptions): string => {
  const waited =
    waitMs > 0 ? ` It was waited for ${Math.round(waitMs / 1000)} s (DATABASE_WAIT_SECONDS).` : ''
  return `The database of DATABASE_URL cannot be reached: ${describeReason(error)}.${waited}`
}

const WRONG_PASSWORD = '28P01'
const NO_LOGIN = '28000'
const NO_DATABASE = '3D000'

function describeRefusal(error: unknown, url: string): string {
  const { username, pathname } = new URL(url)
  const code = errorCode(error)
  if (code === WRONG_PASSWORD || code === NO_LOGIN)
    return `The database of DATABASE_URL refuses the login "${decodeURIComponent(username)}": check its name and password, or run "node server/main.ts migrate", which makes the logins (${describeReason(error)}).`
  if (code === NO_DATABASE)
    return `The server of DATABASE_URL has no database "${decodeURIComponent(pathname.slice(1))}": create it, then run "node server/main.ts migrate".`
  return `The database of DATABASE_URL cannot be used: ${describeReason(error)}.`
}

function describeReason(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  return message || errorCode(error) || 'no answer'
}
