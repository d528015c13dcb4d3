import { setTimeout as sleep } from 'node:timers/promises'

/** What is asked of a server: its memory, or so many changes at every beat for a while. */
export type Question =
  | { what: 'memory' }
  | { what: 'changes'; everyMs: number; atOnce: number; forMs: number; watched: boolean }

/** Bytes that the process has: of the machine's memory, and of its own heap and buffers without garbage. */
export type Memory = { resident: number; used: number }

export type Sent = {
  /** When each change was announced, in ms of the machine's clock, by its name. */
  announced: Map<string, number>
  /** How long announcing went on. */
  seconds: number
  /** What all of it took of the processor, until the last of it was formatted. */
  cpuSeconds: number
  /** The longest that others had to wait for their turn, where it was watched; to watch takes of the processor, too. */
  stall: Stall | null
}

/** In ms of the clock and of the processor. */
export type Stall = { clockMs: number; processorMs: number }

type Server = {
  url: string
  /** Makes the change of this number, and gives what announces it and names it. */
  change(at: number): Promise<() => string>
  end(): Promise<void>
}

/** The machine's own clock in ms: the same in every process. */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1e6

/** Lets the benchmark's main process ask a server of sockets. */
export function answerQuestions({ url, change, end }: Server): void {
  let made = 0
  process.on('message', (question: Question) => {
    void (async () => {
      if (question.what === 'memory') {
        process.send?.(await measureMemory())
      } else {
        process.send?.(await publishChanges(question, () => change(made++)))
      }
    })()
  })
  process.once('disconnect', () => void end())
  process.send?.(url)
}

async function measureMemory(): Promise<Memory> {
  // What hangs on something that is garbage is garbage only behind it.
  for (let pass = 0; pass < 3; pass++) {
    await sleep(100)
    globalThis.gc?.()
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  return { resident: rss, used: heapUsed + external }
}

async function publishChanges(
  { everyMs, atOnce, forMs, watched }: Extract<Question, { what: 'changes' }>,
  change: () => ReturnType<Server['change']>,
): Promise<Sent> {
  const announced = new Map<string, number>()
  const stall = watched ? watchTurns() : null
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
  const took = performance.now() - from
  // What was formatted last is still on its way out.
  await sleep(AFTERMATH_MS)
  const { user, system } = process.cpuUsage(cpuFrom)
  return { announced, seconds: took / 1e3, cpuSeconds: (user + system) / 1e6, stall: stall?.() ?? null }
}

const AFTERMATH_MS = 500
const SAMPLE_EVERY_MS = 2

/**
 * Asks for a turn again and again; gives the longest that it had to wait for one. On a busy machine the clock also
 * counts what other processes took, the processor only what this one did meanwhile.
 */
function watchTurns(): () => Stall {
  const stall: Stall = { clockMs: 0, processorMs: 0 }
  let last = { at: performance.now(), cpu: process.threadCpuUsage() }
  const watch = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last.cpu)
    stall.processorMs = Math.max(stall.processorMs, (user + system) / 1e3)
    const now = performance.now()
    stall.clockMs = Math.max(stall.clockMs, now - last.at - SAMPLE_EVERY_MS)
    last = { at: now, cpu: process.threadCpuUsage() }
  }, SAMPLE_EVERY_MS)
  return () => {
    clearInterval(watch)
    return stall
  }
}
