import { callbackify } from 'node:util'
import { Client, type ClientConfig } from 'pg'
import { urlsOfHosts } from './database-url.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

/** How long one server may take to answer whether it accepts writes. */
const PROBE_TIMEOUT_MS = 2_000

/** How long the answer is used for further connections. A pool that opens ten at once asks once. */
const PRIMARY_KNOWN_MS = 1_000

type Server = { host: string; port: number }

/**
 * What `pg` needs to connect to a database URL. `pg` knows one host only: with several, each new connection goes to the
 * server that accepts writes now. All are asked at once, so that one that is silent delays nobody.
 */
export function connectionOf(url: string): { connectionString: string; Client: typeof Client } {
  const urls = urlsOfHosts(url)
  return { connectionString: urls[0] ?? url, Client: urls.length > 1 ? createPrimaryClient(urls) : Client }
}

/** After this silence the system asks ten times, once a second, whether the server is still there. */
const KEEPALIVE_AFTER_MS = 10_000

/**
 * A connection that is not open yet. Losing it rejects the running query and does not end the process. A query without a time
 * limit, as of a backup, also notices a server that has disappeared.
 */
export function createClient(url: string, settings: ClientConfig): Client {
  const { Client: ClientOfUrl, connectionString } = connectionOf(url)
  const keepalive = { keepAlive: true, keepAliveInitialDelayMillis: KEEPALIVE_AFTER_MS }
  const client = new ClientOfUrl({ ...keepalive, ...settings, connectionString })
  client.on('error', () => undefined)
  return client
}

function createPrimaryClient(urls: readonly string[]): typeof Client {
  let known: { primary: Promise<Server>; untilMs: number } | null = null
  const findPrimary = (): Promise<Server> => {
    if (known && performance.now() < known.untilMs) return known.primary
    const primary = askServers(urls)
    known = { primary, untilMs: performance.now() + PRIMARY_KNOWN_MS }
    primary.catch(() => (known = null))
    return primary
  }
  return class PrimaryClient extends Client {
    override connect(): Promise<Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<Client> | void {
      const connecting = findPrimary().then(async ({ host, port }) => {
        Object.assign(this, { host, port })
        try {
          await super.connect()
          return this
        } catch (error) {
          known = null
          throw error
        }
      })
      if (!callback) return connecting
      callbackify(() => connecting)(callback)
    }
  }
}

/** The first server that reports that it accepts writes. */
async function askServers(urls: readonly string[]): Promise<Server> {
  try {
    return await Promise.any(urls.map(askServer))
  } catch (error) {
    const reasons = error instanceof AggregateError ? error.errors : [error]
    // A refused login is not an outage, and waiting does not help.
    const refusal = reasons.find((each) => !(each instanceof NotPrimaryError) && !isDatabaseUnavailable(each))
    throw refusal ?? new NotPrimaryError(`no server accepts writes: ${reasons.map(describe).join('; ')}`)
  }
}

async function askServer(connectionString: string): Promise<Server> {
  const client = new Client({
    connectionString,
    application_name: 'cotton-probe',
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
    query_timeout: PROBE_TIMEOUT_MS,
  })
  client.on('error', () => undefined)
  const { host, port } = client
  try {
    await client.connect()
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    if (rows[0]?.standby !== false) throw new NotPrimaryError('is a standby')
    return { host, port }
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw new NotPrimaryError(`${host}:${port} ${describe(error)}`)
    throw error
  } finally {
    void client.end().catch(() => undefined)
  }
}

/** SQLSTATE 08001: no connection could be made. Nothing was sent, so nothing can have happened. */
class NotPrimaryError extends Error {
  readonly code = '08001'
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error))
