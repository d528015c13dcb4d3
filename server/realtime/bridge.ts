import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { sql } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { outage } from '#server/platform/outage.ts'

export type Bridge = {
  /** Tells the other processes that something of these subjects has changed: at the next tick, all in one. */
  tell(names: Iterable<string>): void
  stop(): Promise<void>
}

type BridgeOptions = {
  url: string
  log: Log
  /** Another process changed something of these subjects. */
  hear(names: string[]): void
  /** Nothing was heard for a while: anything may have changed. */
  missed(): void
}

const CHANNEL = 'cotton_news'

const notify = sql('news-notify', 'select pg_notify($1, $2)')

// Every NOTIFY takes a lock of the whole server when it commits, so that many changes share one.
const TICK_MS = 50

const RECONNECT_MS = 250

/** Shares news with the other processes on a database, on a connection of its own that comes back by itself. */
export function openBridge(options: BridgeOptions): Bridge {
  const pending = new Set<string>()
  let line: Client | null = null
  const over = new AbortController()
  const listening = outage(options.log, { connection: 'news' })
  let tick: NodeJS.Timeout | null = null

  // One after the other: what is told while a word is on its way waits, and leaves as one.
  let said = Promise.resolve()
  const flush = () => {
    if (tick) clearTimeout(tick)
    tick = null
    said = said.then(say)
    return said
  }
  const say = async () => {
    const client = line
    if (!client || pending.size === 0) return
    const names = [...pending]
    pending.clear()
    try {
      await client.query({ ...notify, values: [CHANNEL, names.join(',')] })
    } catch {
      for (const name of names) pending.add(name)
      void client.end().catch(() => {})
    }
  }
  const schedule = () => {
    tick ??= setTimeout(() => void flush(), TICK_MS).unref()
  }
  const converse = async () => {
    const { client, ended } = await listen(options)
    line = client
    listening.works()
    if (over.signal.aborted) void client.end()
    options.missed()
    if (pending.size > 0) schedule()
    await ended
    line = null
  }
  const keepTalking = async () => {
    while (!over.signal.aborted) {
      await converse().catch((error: unknown) => listening.failed(error))
      await sleep(RECONNECT_MS, undefined, { ref: false, signal: over.signal }).catch(() => {})
    }
  }

  void keepTalking()
  return {
    tell(names) {
      for (const name of names) pending.add(name)
      schedule()
    },
    async stop() {
      over.abort()
      // The last words of a process that ends: what it committed must not wait until the others look again.
      await flush()
      await line?.end().catch(() => {})
    },
  }
}

async function listen({ url, hear }: BridgeOptions): Promise<{ client: Client; ended: Promise<void> }> {
  const client = new Client({
    connectionString: url,
    application_name: 'cotton-news',
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    keepAlive: true,
  })
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  // A connection that breaks ends as well; without a listener its error would end the process.
  client.on('error', () => {})
  client.once('end', resolve)
  client.on('notification', ({ processId, payload = '' }) => {
    // What this process said itself it knows already.
    if (processId !== idOf(client)) hear(payload.split(','))
  })
  try {
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    return { client, ended }
  } catch (error) {
    void client.end().catch(() => {})
    throw error
  }
}

/** The number under which the server knows a connection; the types of the library leave it out. */
function idOf(client: Client): number | null {
  return (client as Client & { processID?: number | null }).processID ?? null
}
