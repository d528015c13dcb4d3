import { Refused } from '#server/platform/answer.ts'
import { keepAlive } from './keep-alive.ts'
import { quantile } from './statistics.ts'

/** What so many lanes got done at once. */
export type Burst = {
  /** What was acknowledged. */
  done: number
  /** What was answered with anything else. */
  refused: number
  seconds: number
  p50Ms: number
  p99Ms: number
  /** Share of one core that the benchmark's own process took. */
  ownCpu: number
}

export type Load = { lanes: number; seconds: number }

/** Asks on so many lanes for so long; each lane waits for its answer, true where it counts, before it asks again. */
export async function burst(
  { lanes, seconds }: Load,
  ask: (lane: number) => Promise<boolean>,
): Promise<Burst> {
  const latencies: number[] = []
  let refused = 0
  const cpuFrom = process.cpuUsage()
  const from = performance.now()
  const until = from + seconds * 1000
  const askInTurn = async (lane: number) => {
    for (let asking = performance.now(); asking < until;) {
      const counts = await ask(lane)
      const now = performance.now()
      if (counts) latencies.push(now - asking)
      else refused += 1
      asking = now
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, lane) => askInTurn(lane)))
  const took = (performance.now() - from) / 1000
  const { user, system } = process.cpuUsage(cpuFrom)
  if (latencies.length === 0) throw new Error('Nothing at all was acknowledged')
  return {
    done: latencies.length,
    refused,
    seconds: took,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    ownCpu: (user + system) / 1e6 / took,
  }
}

/** So many connections that stay open, one for each lane. */
export async function openLanes(url: string, lanes: number) {
  const open = await Promise.all(Array.from({ length: lanes }, () => keepAlive(url)))
  return {
    /** True where it was answered with 200, false where it was refused and may be; any other answer fails. */
    async ask(lane: number, request: string, { mayBeRefused = false } = {}): Promise<boolean> {
      const status = await open[lane]!.send(request)
      if (status === 200) return true
      if (status === 409 && mayBeRefused) return false
      throw new Error(`A request was answered with ${status}`)
    },
    close() {
      for (const each of open) each.close()
    },
  }
}

/** Asks over connections that stay open. Only what is answered with 200 counts. */
export async function burstOverHttp(
  url: string,
  load: Load,
  { request, mayBeRefused = false }: { request(): string; mayBeRefused?: boolean },
): Promise<Burst> {
  const open = await openLanes(url, load.lanes)
  const done = await burst(load, (lane) => open.ask(lane, request(), { mayBeRefused }))
  open.close()
  return done
}

/** Asks for what is refused where somebody was quicker: true where it was done. */
export async function unlessRefused(answer: Promise<unknown>): Promise<boolean> {
  try {
    await answer
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}
