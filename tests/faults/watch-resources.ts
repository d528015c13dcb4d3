import { readFileSync } from 'node:fs'
import { quantile } from '../../bench/statistics.ts'
import type { LiveGame } from './live-game.ts'

/** One series of values, one a minute. A new process begins a new one. */
export type Series = { what: string; unit: string; values: number[] }

const MB = 1024 * 1024
/** The roles that serve metrics, in the order of their ports. */
const METRICS_ROLES = ['api', 'watcher', 'local-chain']

/**
 * Which of them grows shows why the memory of a process does. If none does, it is memory of Node's own. V8 doubles its young
 * generation, a part of the reserved heap, whenever much of it survives: up to 128 MB with 24 GB of memory.
 */
const NODE_METRICS = {
  heap: 'nodejs_heap_size_used_bytes',
  'reserved heap': 'nodejs_heap_size_total_bytes',
  'young generation': 'nodejs_heap_space_size_total_bytes{space="new"}',
  'external memory': 'nodejs_external_memory_bytes',
}

/** Samples the memory of every role. */
export class ResourceWatch {
  readonly #game: LiveGame
  #pids = new Map<string, string>()
  #minute = new Map<string, number[]>()
  readonly #series = new Map<string, Series>()

  constructor(game: LiveGame) {
    this.#game = game
  }

  async sample(): Promise<void> {
    for (const [role, pids] of this.#game.processes()) {
      const bytes = pids.reduce((sum, pid) => sum + readMemory(pid), 0)
      if (bytes === 0) continue
      // Postgres is many processes, of which some are new after each kill.
      if (role !== 'postgres' && this.#pids.get(role) !== pids.join()) this.#forget(role)
      this.#pids.set(role, pids.join())
      this.#add(`memory of ${role}`, bytes / MB)
    }
    await Promise.all(
      METRICS_ROLES.map(async (role, at) => {
        const text = await readMetrics(this.#game.metricsPort + at)
        const metrics = new Map(text.split('\n').map((line) => line.split(' ') as [string, string]))
        for (const [what, name] of Object.entries(NODE_METRICS)) {
          const bytes = Number(metrics.get(name) ?? 0)
          if (bytes > 0) this.#add(`${what} of ${role}`, bytes / MB)
        }
      }),
    )
  }

  /** Ends a minute. Of memory the median counts, of a heap the lowest value: what remains after a collection. */
  endMinute(): void {
    for (const [what, samples] of this.#minute) {
      const series = this.#series.get(what) ?? { what, unit: 'MB', values: [] }
      series.values.push(what.startsWith('heap') ? Math.min(...samples) : quantile(samples, 0.5))
      this.#series.set(what, series)
    }
    this.#minute.clear()
  }

  list(): Series[] {
    return [...this.#series.values()]
  }

  #add(what: string, value: number): void {
    this.#minute.set(what, [...(this.#minute.get(what) ?? []), value])
  }

  #forget(role: string): void {
    for (const what of [...this.#series.keys(), ...this.#minute.keys()]) {
      if (!what.endsWith(` of ${role}`)) continue
      this.#minute.delete(what)
      this.#series.delete(what)
    }
  }
}

/** The memory of a process in bytes, without that of files, which the system may drop at any time. 0 if it has ended. */
function readMemory(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^RssAnon:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

/** The metrics of a role as text; empty if it does not answer. */
async function readMetrics(port: number): Promise<string> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(3000) })
    return await answer.text()
  } catch {
    return ''
  }
}
