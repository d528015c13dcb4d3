import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveGame } from './live-game.ts'

/** Values at equal distances of time. If it is judged, growth is a fault. */
export type Series = { what: string; unit: string; isJudged: boolean; values: number[] }

const MB = 1024 * 1024
/** How long a full collection may take. */
const COLLECT_MS = 2000

/** Samples the memory that every role has after it has collected all its garbage. */
export class ResourceWatch {
  readonly #game: LiveGame
  #pids = new Map<string, string>()
  readonly #series = new Map<string, Series>()

  constructor(game: LiveGame) {
    this.#game = game
  }

  /** Takes a value of each role. A new process begins a new series. The processes pause meanwhile. */
  async sample(): Promise<void> {
    const processes = [...this.#game.processes()]
    // Postgres is many processes, of which some are new after each kill.
    const roles = processes.filter(([role]) => role !== 'postgres')
    for (const pid of roles.flatMap(([, pids]) => pids)) process.kill(pid, 'SIGUSR2')
    await sleep(COLLECT_MS)
    for (const [role, pids] of roles) {
      if (this.#pids.get(role) !== pids.join()) this.#series.delete(role)
      this.#pids.set(role, pids.join())
    }
    for (const [role, pids] of processes) {
      const bytes = pids.reduce((sum, pid) => sum + readMemory(pid), 0)
      if (bytes > 0) this.#add(role, bytes / MB)
    }
  }

  list(): Series[] {
    return [...this.#series.values()]
  }

  #add(role: string, value: number): void {
    const series = this.#series.get(role) ?? {
      what: `memory of ${role}`,
      unit: 'MB',
      isJudged: true,
      values: [],
    }
    series.values.push(value)
    this.#series.set(role, series)
  }
}

/** The memory of a process in bytes, without that of files, which the system may drop at any time. 0 if it has ended. */
export function readMemory(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^RssAnon:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
