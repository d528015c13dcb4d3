import { Refused } from '#server/platform/answer.ts'
import { openHttpConnection } from './http-connection.ts'
import { quantile } from './statistics.ts'

/** How many clients send requests at once, and for how long. */
export type Load = { clients: number; seconds: number }

export type Loaded = {
  /** Acknowledged requests. */
  done: number
  /** All others. */
  refused: number
  seconds: number
  p50Ms: number
  p99Ms: number
  /** Share of one core that this process used. */
  ownCpu: number
}

/** Each client sends its next request when the previous one is answered. `request` returns whether it counts. */
export async function load(
  { clients, seconds }: Load,
  request: (client: number) => Promise<boolean>,
): Promise<Loaded> {
  const latencies: number[] = []
  let refused = 0
  const cpuFrom = process.cpuUsage()
  const from = performance.now()
  const until = from + seconds * 1000
  const requestInTurn = async (client: number) => {
    for (let sent = performance.now(); sent < until;) {
      const counts = await request(client)
      const now = performance.now()
      if (counts) latencies.push(now - sent)
      else refused += 1
      sent = now
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => requestInTurn(client)))
  const took = (performance.now() - from) / 1000
  const { user, system } = process.cpuUsage(cpuFrom)
  if (latencies.length === 0) throw new Error('No request was acknowledged')
  return {
    done: latencies.length,
    refused,
    seconds: took,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    ownCpu: (user + system) / 1e6 / took,
  }
}

/** Keep-alive connections, one for each client. Those to several servers take turns. */
export async function openConnections(urls: string | readonly string[], clients: number) {
  const servers = [urls].flat()
  const open = await Promise.all(
    Array.from({ length: clients }, (_, client) => openHttpConnection(servers[client % servers.length]!)),
  )
  return {
    /** Whether the request was answered with 200; false for a refusal that is allowed. Anything else throws. */
    async send(client: number, request: string, { mayBeRefused = false } = {}): Promise<boolean> {
      const status = await open[client]!.send(request)
      if (status === 200) return true
      if (status === 409 && mayBeRefused) return false
      throw new Error(`A request was answered with ${status}`)
    },
    close() {
      for (const each of open) each.close()
    },
  }
}

/** Sends requests over keep-alive connections. Those refused with 409 do not count. */
export async function loadOverHttp(
  urls: string | readonly string[],
  size: Load,
  request: (client: number) => string,
): Promise<Loaded> {
  const connections = await openConnections(urls, size.clients)
  const loaded = await load(size, (client) =>
    connections.send(client, request(client), { mayBeRefused: true }),
  )
  connections.close()
  return loaded
}

/** True when the action succeeded, false when it was refused. */
export async function unlessRefused(answer: Promise<unknown>): Promise<boolean> {
  try {
    await answer
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}
