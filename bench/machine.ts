import { cpus, loadavg, totalmem } from 'node:os'

export type Machine = { cpus: number; cpu: string; memoryGb: number; node: string; load: number }

/** The machine. `load` is the average of the last minute, including the benchmark itself. */
export function describeMachine(): Machine {
  const all = cpus()
  return {
    cpus: all.length,
    cpu: all[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    load: loadavg()[0]!,
  }
}
