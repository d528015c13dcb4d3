import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** What is asked of a server: its memory, or so many changes at every beat for a while. */
export type Question =
  | { what: 'memory' }
  | { what: 'changes'; everyMs: number; atOnce: number; forMs: number }

/** Bytes that the process has: of the machine's memory, and of its own heap and buffers without garbage. */
export type Memory = { resident: number; used: number }

export type Told = {
  /** When each change was announced, in ms of the machine's clock, by its name. */
  announced: Map<string, number>
  /** How long announcing went on. */
  seconds: number
  /** The longest that the loop stood still, in ms. */
  stallMs: number
  /** Share of one core. */
  cpu: number
}

type Server = {
  url: string
  /** Makes the change of this number, and gives what announces it and names it. */
  change(at: number): Promise<() => string>
  end(): Promise<void>
}

/** The machine's own clock in ms: the same in every process. */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1e6

/** Lets the benchmark's main process ask a server of sockets. */
export function serveBroadcasts({ url, change, end }: Server): void {
  let made = 0
  process.on('message', (question: Question) => {
    void (async () => {
      if (question.what === 'memory') {
        process.send?.(measureMemory())
      } else {
        process.send?.(await tellChanges(question, () => change(made++)))
      }
    })()
  })
  process.once('disconnect', () => void end())
  process.send?.(url)
}

function measureMemory(): Memory {
  globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { resident: rss, used: heapUsed + external }
}

async function tellChanges(
  { everyMs, atOnce, forMs }: Extract<Question, { what: 'changes' }>,
  change: () => ReturnType<Server['change']>,
): Promise<Told> {
  const announced = new Map<string, number>()
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  const cpuFrom = process.cpuUsage()
  const from = performance.now()
  for (let beat = from; beat < from + forMs; beat = Math.max(beat + everyMs, performance.now())) {
    await sleep(Math.max(0, beat - performance.now()))
    const changes = Array.from({ length: atOnce }, async () => {
      const announce = await change()
      const now = machineMs()
      announced.set(announce(), now)
    })
    await Promise.all(changes)
  }
  const { user, system } = process.cpuUsage(cpuFrom)
  const took = performance.now() - from
  // What was told last is still on its way out.
  await sleep(200)
  loop.disable()
  return { announced, seconds: took / 1e3, stallMs: loop.max / 1e6, cpu: (user + system) / 1e3 / took }
}
