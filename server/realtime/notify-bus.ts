import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { sql } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log.ts'
import { createOutageLog } from '#server/platform/outage-log.ts'

export type NotifyBus = {
  /** Tells the other processes that something of these subjects has changed: at the next tick, all in one. */
  publish(topics: Iterable<string>): void
  stop(): Promise<void>
}

type NotifyBusOptions = {
  url: string
  log: Log
  /** Another process changed something of these subjects. */
  receive(topics: string[]): void
  /** Nothing was heard for a while: anything may have changed. */
  connected(): void
}

const CHANNEL = 'cotton_changes'

const notify = sql('changes-notify', 'select pg_notify($1, $2)')

// Every NOTIFY takes a lock of the whole server when it commits, so that many changes share one.
const TICK_MS = 50

const RECONNECT_MS = 250

/** Shares news with the other processes on a database, on a connection of its own that comes back by itself. */
export function openNotifyBus(options: NotifyBusOptions): NotifyBus {
  const pending = new Set<string>()
  let connection: Client | null = null
  const stopping = new AbortController()
  const listening = createOutageLog(options.log, { connection: 'changes' })
  let tick: NodeJS.Timeout | null = null

  // One after the other: what is told while a word is on its way waits, and leaves as one.
  let lastSend = Promise.resolve()
  const flush = () => {
    if (tick) clearTimeout(tick)
    tick = null
    lastSend = lastSend.then(sendPending)
    return lastSend
  }
  const sendPending = async () => {
    const client = connection
    if (!client || pending.size === 0) return
    const topics = [...pending]
    pending.clear()
    try {
      await client.query({ ...notify, values: [CHANNEL, topics.join(',')] })
    } catch {
      for (const topic of topics) pending.add(topic)
      void client.end().catch(() => {})
    }
  }
  const schedule = () => {
    tick ??= setTimeout(() => void flush(), TICK_MS).unref()
  }
  const runConnection = async () => {
    const { client, ended } = await listen(options)
    connection = client
    listening.recordSuccess()
    if (stopping.signal.aborted) void client.end()
    options.connected()
    if (pending.size > 0) schedule()
    await ended
    connection = null
  }
  const stayConnected = async () => {
    while (!stopping.signal.aborted) {
      await runConnection().catch((error: unknown) => listening.recordFailure(error))
      await sleep(RECONNECT_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
    }
  }

  void stayConnected()
  return {
    publish(topics) {
      for (const topic of topics) pending.add(topic)
      schedule()
    },
    async stop() {
      stopping.abort()
      // The last words of a process that ends: what it committed must not wait until the others look again.
      await flush()
      await connection?.end().catch(() => {})
    },
  }
}

async function listen({ url, receive }: NotifyBusOptions): Promise<{ client: Client; ended: Promise<void> }> {
  const client = new Client({
    connectionString: url,
    application_name: 'cotton-changes',
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
    if (processId !== backendPidOf(client)) receive(payload.split(','))
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
function backendPidOf(client: Client): number | null {
  return (client as Client & { processID?: number | null }).processID ?? null
}
