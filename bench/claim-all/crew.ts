import { claimAllWorkers, claimWorker } from '#contract/workers.ts'
import { keepAlive, type KeepAlive } from '../keep-alive.ts'
import { runAsOwner, seedPlayers, walletOf } from '../players.ts'
import { postRequest } from '../requests.ts'
import type { Turn } from '../rounds.ts'
import { quantile } from '../statistics.ts'

/** How many workers one player has. */
export const CREW = 10_000

const LANES = 128
const OWNER = 1

const workerAt = (at: number): string => `grandad-${String(at).padStart(5, '0')}`

/** A player with ten thousand grandads who have been at work for an hour. */
export async function seedCrew(ownerUrl: string): Promise<void> {
  await seedPlayers(ownerUrl)
  await runAsOwner(ownerUrl, [
    `insert into workers (wallet, worker_id, worker_type, rate_per_hour, since, purchased_at)
     select '${walletOf(OWNER)}', 'grandad-' || lpad(nth::text, 5, '0'), 'grandad', 35000,
       now() - interval '1 hour', now() - interval '1 hour' from generate_series(1, ${CREW}) as nth`,
    `update worker_types set max_supply = ${CREW}, sold = ${CREW} where worker_type = 'grandad'`,
    'vacuum analyze',
  ])
}

/** Claims of each worker by a request of its own, so many at once. */
export async function claimEach(url: string): Promise<Turn> {
  const open = await Promise.all(Array.from({ length: LANES }, () => keepAlive(url)))
  const latencies: number[] = []
  let next = 1
  const from = performance.now()
  const claimInTurn = async (connection: KeepAlive) => {
    while (next <= CREW) {
      const request = postRequest(claimWorker.path, OWNER, { workerId: workerAt(next++) })
      const asking = performance.now()
      const status = await connection.send(request)
      if (status !== 200) throw new Error(`A claim was answered with ${status}`)
      latencies.push(performance.now() - asking)
    }
  }
  await Promise.all(open.map(claimInTurn))
  const seconds = (performance.now() - from) / 1000
  for (const each of open) each.close()
  return { done: CREW, seconds, p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99) }
}

/** Claims of all of them by one request. */
export async function claimAtOnce(url: string): Promise<Turn> {
  const connection = await keepAlive(url)
  const from = performance.now()
  const answer = await connection.ask(postRequest(claimAllWorkers.path, OWNER, { workerType: 'grandad' }))
  const took = performance.now() - from
  connection.close()
  const told = Number(/"claimedWorkers":(\d+)/.exec(answer)?.[1])
  if (told !== CREW) throw new Error(`A claim of ${CREW} workers was answered with ${answer}`)
  return { done: CREW, seconds: took / 1000, p50Ms: took }
}
