import { randomUUID } from 'node:crypto'
import { claimWorker } from '#contract/workers.ts'
import { quantile } from '../statistics.ts'
import { type KeepAlive, keepAlive } from '../keep-alive.ts'
import { PLAYERS, tokenOf, workerOf } from '../players.ts'

export type Burst = {
  /** Claims answered with 200. */
  paid: number
  /** Answers by status where it was another. */
  others: Record<number, number>
  seconds: number
  p50Ms: number
  p99Ms: number
  /** Share of one core that the load generator took. */
  ownCpu: number
}

/**
 * Claims one worker after the other on each of so many connections, for so long. Every claim is of a player chosen
 * by chance, carries that player's token and an idempotency key of its own, and is waited for to the end.
 */
export async function claimOverHttp(
  url: string,
  { connections, seconds, path = claimWorker.path }: { connections: number; seconds: number; path?: string },
): Promise<Burst> {
  const open = await Promise.all(Array.from({ length: connections }, () => keepAlive(url)))
  const latencies: number[] = []
  const others: Record<number, number> = {}
  const cpuFrom = process.cpuUsage()
  const from = performance.now()
  const until = from + seconds * 1000
  await Promise.all(open.map((each) => claimInTurn(each, { path, until, latencies, others })))
  const took = (performance.now() - from) / 1000
  const { user, system } = process.cpuUsage(cpuFrom)
  for (const each of open) each.close()
  return {
    paid: latencies.length,
    others,
    seconds: took,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    ownCpu: (user + system) / 1e6 / took,
  }
}

type Course = { path: string; until: number; latencies: number[]; others: Record<number, number> }

async function claimInTurn(connection: KeepAlive, { path, until, latencies, others }: Course): Promise<void> {
  for (let from = performance.now(); from < until;) {
    const status = await connection.send(claimRequest(path, 1 + Math.floor(Math.random() * PLAYERS)))
    const now = performance.now()
    if (status === 200) latencies.push(now - from)
    else others[status] = (others[status] ?? 0) + 1
    from = now
  }
}

function claimRequest(path: string, player: number): string {
  const body = `{"workerId":"${workerOf(player)}"}`
  return [
    `POST ${path} HTTP/1.1`,
    'host: bench.test',
    'content-type: application/json',
    `x-auth-token: ${tokenOf(player)}`,
    `idempotency-key: ${randomUUID()}`,
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}
