import { Session, type Profiler } from 'node:inspector'
import { constants, monitorEventLoopDelay, performance, PerformanceObserver } from 'node:perf_hooks'

/** What a process is asked to say about itself: from now on, and until now. */
export type WatchQuestion = { what: 'watch'; profiled: boolean } | { what: 'watched' }

/** What a process has seen of itself since it began to watch. */
export type Watched = {
  /** Share of the time in which its loop had something to do, 0 to 1. */
  busy: number
  /** How late its loop came to what was due, in ms. */
  lateMs: { p50: number; p99: number; most: number }
  /** What collecting garbage stood in the way, of which the longest once, in ms. */
  garbageMs: { small: number; large: number; longest: number }
  seconds: number
  profile?: Profiler.Profile
}

/** Lets the parent ask this process for its loop, its garbage and, where it wants one, a profile of its processor. */
export function watchThis(): void {
  let end: (() => Promise<Watched>) | undefined
  const hear = async (question: WatchQuestion) => {
    if (question.what === 'watch') end = await begin(question)
    process.send?.(question.what === 'watch' ? 'watching' : await end?.())
  }
  process.on('message', (question: WatchQuestion) => void hear(question))
}

const RESOLUTION_MS = 1

async function begin({ profiled }: { profiled: boolean }): Promise<() => Promise<Watched>> {
  const endProfile = profiled ? await beginProfile() : undefined
  const garbageMs = { small: 0, large: 0, longest: 0 }
  const garbage = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { duration, detail } = entry as typeof entry & { detail: { kind: number } }
      const { kind } = detail
      garbageMs[kind === constants.NODE_PERFORMANCE_GC_MINOR ? 'small' : 'large'] += duration
      garbageMs.longest = Math.max(garbageMs.longest, duration)
    }
  })
  garbage.observe({ entryTypes: ['gc'] })
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const from = performance.now()
  const loop = performance.eventLoopUtilization()
  return async () => {
    delay.disable()
    garbage.disconnect()
    // It measures from one look to the next, so what was planned in between is no delay.
    const late = (ns: number) => Math.max(0, ns / 1e6 - RESOLUTION_MS)
    return {
      busy: performance.eventLoopUtilization(loop).utilization,
      lateMs: { p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), most: late(delay.max) },
      garbageMs,
      seconds: (performance.now() - from) / 1000,
      profile: await endProfile?.(),
    }
  }
}

/** How often a profile looks. */
export const MICROSECONDS_BETWEEN = 500

async function beginProfile(): Promise<() => Promise<Profiler.Profile>> {
  const session = new Session()
  session.connect()
  const post = (method: string, params: object = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      session.post(method, params, (error, answer) => (error ? reject(error) : resolve(answer)))
    })
  await post('Profiler.enable')
  await post('Profiler.setSamplingInterval', { interval: MICROSECONDS_BETWEEN })
  await post('Profiler.start')
  return async () => {
    const { profile } = (await post('Profiler.stop')) as Profiler.StopReturnType
    session.disconnect()
    return profile
  }
}
