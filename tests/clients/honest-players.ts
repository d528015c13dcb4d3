import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** What honest players got: the times of their answers, and what was no answer. */
export type Served = { tookMs: number[]; failures: string[] }

const PATHS = [
  '/api/workers/supply',
  '/api/continent-stats',
  '/api/parcels?regionId=EU',
  '/api/marketplace/listings',
]
const LIMIT_MS = 30_000

/** Players who read, each from an address of its own, within the limits of an address. */
export class HonestPlayers {
  readonly #agents: readonly Agent[]
  readonly #url: URL
  #served: Served = { tookMs: [], failures: [] }

  constructor(url: string, players: number) {
    this.#url = new URL(url)
    this.#agents = Array.from(
      { length: players },
      (_, at) => new Agent({ keepAlive: true, localAddress: `127.0.2.${at + 1}` }),
    )
  }

  /** Plays for this time. Each player waits between two requests. */
  async play(forMs: number, pauseMs = 100): Promise<Served> {
    this.#served = { tookMs: [], failures: [] }
    const until = performance.now() + forMs
    await Promise.all(
      this.#agents.map(async (agent, at) => {
        for (let turn = at; performance.now() < until; turn++) {
          await this.#read(agent, PATHS[turn % PATHS.length]!)
          await sleep(pauseMs)
        }
      }),
    )
    return this.#served
  }

  stop(): void {
    for (const agent of this.#agents) agent.destroy()
  }

  async #read(agent: Agent, path: string): Promise<void> {
    const from = performance.now()
    const { hostname, port } = this.#url
    const problem = await new Promise<string | null>((resolve) => {
      const call = request(
        { hostname, port, path, agent, signal: AbortSignal.timeout(LIMIT_MS) },
        (answer) => {
          answer
            .resume()
            .on('end', () => resolve(answer.statusCode === 200 ? null : `${path}: ${answer.statusCode}`))
        },
      )
      // The server may close an idle connection at the moment when it is used again.
      call.on('error', (error) => resolve(call.reusedSocket ? '' : `${path}: ${String(error)}`))
      call.end()
    })
    if (problem === '') return this.#read(agent, path)
    if (problem === null) this.#served.tookMs.push(performance.now() - from)
    else this.#served.failures.push(problem)
  }
}
