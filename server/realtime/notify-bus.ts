import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { createClient } from '#server/platform/db/connect-to-primary.ts'
import { queryOf, sql } from '#server/platform/db/db.ts'
import { backendPidOf } from '#server/platform/db/session.ts'
import type { Log } from '#server/platform/log.ts'
import { measure } from '#server/platform/measure.ts'
import { createOutageLog } from '#server/platform/outage-log.ts'

export type NotifyBus = {
  /** Notifies the other processes that these sources changed. All changes of one tick share a notification. */
  publish(sourceNames: Iterable<string>): void
  stop(): Promise<void>
}

type NotifyBusOptions = {
  url: string
  log: Log
  /** Called when another process changed these sources. */
  receive(sourceNames: string[]): void
  /** Called after each connect. Notifications may have been missed, so anything may have changed. */
  connected(): void
  /** How long the database may be silent before its connection counts as lost. */
  maxSilenceMs?: number
}

const MAX_SILENCE_MS = 10_000

const CHANNEL = 'cotton_changes'

// Nothing arrives on a connection whose server hangs or that a firewall has forgotten, and nothing fails either.
const heartbeat = sql({ name: 'changes-heartbeat', text: 'select' })

const notify = sql({
  name: 'changes-notify',
  params: { channel: 'text', payload: 'text' },
  text: ({ channel, payload }) => `select pg_notify(${channel}, ${payload})`,
})

// Every NOTIFY takes a server-wide lock when it commits, so many changes share one.
const TICK_MS = 50

// Spread, so that the processes of a large game do not all return at once after a failover.
const RECONNECT_MS = { least: 100, most: 400 }

/** Exchanges notifications with the other processes on a database, on its own connection, which reconnects. */
export function openNotifyBus(options: NotifyBusOptions): NotifyBus {
  const pending = new Set<string>()
  const answerMs = (options.maxSilenceMs ?? MAX_SILENCE_MS) / 2
  let connection: Client | null = null
  const stopping = new AbortController()
  const listening = createOutageLog(options.log, { connection: 'changes' })
  let tick: NodeJS.Timeout | null = null
  let sentAtMs = 0

  // Sends run one at a time. What is published during a send shares the next one.
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
    const sourceNames = [...pending]
    pending.clear()
    sentAtMs = performance.now()
    try {
      await client.query(queryOf(notify, { channel: CHANNEL, payload: sourceNames.join(',') }))
    } catch {
      for (const name of sourceNames) pending.add(name)
      close(client)
    }
  }
  const schedule = () => {
    tick ??= setTimeout(() => void flush(), TICK_MS).unref()
  }
  const runConnection = async () => {
    const { client, ended } = await listen({ ...options, answerMs }, () =>
      measure({ of: 'notification', delayMs: performance.now() - sentAtMs }),
    )
    connection = client
    const beating = setInterval(
      () => client.query(queryOf(heartbeat)).catch(() => close(client)),
      answerMs,
    ).unref()
    measure({ of: 'bus', connected: true })
    listening.recordSuccess()
    if (stopping.signal.aborted) close(client)
    options.connected()
    if (pending.size > 0) schedule()
    await ended
    clearInterval(beating)
    connection = null
    measure({ of: 'bus', connected: false })
  }
  const stayConnected = async () => {
    while (!stopping.signal.aborted) {
      await runConnection().catch((error: unknown) => listening.recordFailure(error))
      await sleep(reconnectDelayMs(), undefined, { ref: false, signal: stopping.signal }).catch(() => {})
    }
  }

  void stayConnected()
  return {
    publish(sourceNames) {
      for (const name of sourceNames) pending.add(name)
      schedule()
    },
    async stop() {
      stopping.abort()
      // Other processes must not wait for their next poll to see what this one committed.
      await flush()
      await connection?.end().catch(() => {})
    },
  }
}

const reconnectDelayMs = (): number =>
  RECONNECT_MS.least + Math.random() * (RECONNECT_MS.most - RECONNECT_MS.least)

const close = (client: Client): void => void client.end().catch(() => {})

/** `returned` is called for each notification of this process, which Postgres delivers to it, too. */
async function listen(
  { url, receive, answerMs }: NotifyBusOptions & { answerMs: number },
  returned: () => void,
): Promise<{ client: Client; ended: Promise<void> }> {
  const client = createClient(url, {
    application_name: 'cotton-changes',
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
  })
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  // A broken connection also emits 'end'.
  client.once('end', resolve)
  client.on('notification', ({ processId, payload = '' }) => {
    if (processId === backendPidOf(client)) returned()
    else receive(payload.split(','))
  })
  try {
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    return { client, ended }
  } catch (error) {
    close(client)
    throw error
  }
}
