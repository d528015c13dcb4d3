import { setTimeout as sleep } from 'node:timers/promises'

/** A command for a server: measure its memory, or publish `atOnce` changes every `everyMs` for `forMs`. */
export type Question =
  | { what: 'memory' }
  | { what: 'changes'; everyMs: number; atOnce: number; forMs: number; watched: boolean }

/** The memory of a process in bytes: its resident set, and its heap and buffers after garbage collection. */
export type Memory = { resident: number; used: number }

export type Sent = {
  /** The time at which each change was announced, by the name of the change, in ms of the machine's clock. */
  announced: Map<string, number>
  /** The duration of the announcements. */
  seconds: number
  /** The CPU time used, until the last frame was sent. */
  cpuSeconds: number
  /** The longest stall of the event loop; null if it was not watched, because watching also uses CPU time. */
  stall: Stall | null
}

/** In ms of elapsed time and of CPU time. */
export type Stall = { clockMs: number; processorMs: number }

type Server = {
  url: string
  /** Commits the change with this number. Returns a function that announces it and returns its name. */
  change(at: number): Promise<() => string>
  end(): Promise<void>
}

/** The machine's monotonic clock in ms, the same in every process. */
export const machineMs = (): number => Number(process.hrtime.bigint()) / 1e6

/** Executes the commands of the benchmark's main process in a socket server. */
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
  // Objects that are referenced by garbage with finalizers are freed only by a later collection.
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
  // The last frames are still being sent.
  await sleep(AFTERMATH_MS)
  const { user, system } = process.cpuUsage(cpuFrom)
  return { announced, seconds: took / 1e3, cpuSeconds: (user + system) / 1e6, stall: stall?.() ?? null }
}

const AFTERMATH_MS = 500
const SAMPLE_EVERY_MS = 2

/**
 * Samples the delay of a timer and returns the longest. On a busy machine the elapsed time includes other processes; the
 * CPU time includes only this one.
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
