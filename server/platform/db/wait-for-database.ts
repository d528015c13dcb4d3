import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { errorCode, StartupError } from '../startup-error.ts'
import { createClient } from './connect-to-primary.ts'
import { urlsOfHosts } from './database-url.ts'
import { INVALID_AUTHORIZATION, INVALID_PASSWORD } from './error-codes.ts'
import { isDatabaseUnavailable, isRefusedByPooler } from './unavailable.ts'

export interface WaitForDatabaseOptions {
  url: string
  /** The setting with that URL, for messages. */
  setting?: string
  applicationName: string
  /** The maximum wait for an unavailable database. */
  waitMs: number
  /** Called once at the start of a wait, with the reason. */
  onWait?: (reason: string) => void
  /** Ends the wait. */
  signal?: AbortSignal
}

const RETRY_MS = 500

/**
 * Opens one connection, which the caller ends. Retries for `waitMs` while the server is unavailable or still starting,
 * and throws a `StartupError` after that, or at once if the server refuses the login.
 */
export async function waitForDatabase(options: WaitForDatabaseOptions): Promise<Client> {
  const deadline = performance.now() + options.waitMs
  for (let attempt = 1; ; attempt++) {
    try {
      return await connect(options)
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw new StartupError(describeRefusal(error, options))
      if (performance.now() >= deadline || options.signal?.aborted)
        throw new StartupError(describeUnreachable(error, options))
      if (attempt === 1) options.onWait?.(describeReason(error))
      // Rejects when `signal` aborts. The next attempt then throws the reason.
      await sleep(RETRY_MS, undefined, { signal: options.signal }).catch(() => undefined)
    }
  }
}

/** Throws a `StartupError` if the database cannot be used now, for example because it refuses the login. */
export async function requireDatabase(options: Omit<WaitForDatabaseOptions, 'waitMs'>): Promise<void> {
  const client = await waitForDatabase({ ...options, waitMs: 0 })
  await client.end()
}

async function connect({ url, applicationName }: WaitForDatabaseOptions): Promise<Client> {
  const client = createClient(url, { connectionTimeoutMillis: 10_000, application_name: applicationName })
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

const describeUnreachable = (
  error: unknown,
  { waitMs, setting = DEFAULT_SETTING }: WaitForDatabaseOptions,
): string => {
  const waited = waitMs > 0 ? ` The wait lasted ${Math.round(waitMs / 1000)} s (DATABASE_WAIT_SECONDS).` : ''
  return `The database of ${setting} cannot be reached: ${describeReason(error)}.${waited}`
}

const NO_DATABASE = '3D000'

const DEFAULT_SETTING = 'DATABASE_URL'

function describeRefusal(error: unknown, { url, setting = DEFAULT_SETTING }: WaitForDatabaseOptions): string {
  const { username, pathname } = new URL(urlsOfHosts(url)[0] ?? url)
  const code = errorCode(error)
  if (code === INVALID_PASSWORD || code === INVALID_AUTHORIZATION || isRefusedByPooler(error))
    return `The database of ${setting} refuses the login "${decodeURIComponent(username)}": check its name and password, or run "node server/main.ts migrate", which makes the logins (${describeReason(error)}).`
  if (code === NO_DATABASE)
    return `The server of ${setting} has no database "${decodeURIComponent(pathname.slice(1))}": create it, then run "node server/main.ts migrate".`
  return `The database of ${setting} cannot be used: ${describeReason(error)}.`
}

function describeReason(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  return message || errorCode(error) || 'no answer'
}
