import { readdirSync, readFileSync } from 'node:fs'

// Ticks per second in proc(5), on every Linux that Node supports.
const TICKS = 100

/** A process: its parent, and the CPU time in seconds of itself and of its ended children. */
type Process = { parent: number; own: number; ended: number }

function processOf(pid: number): Process | undefined {
  try {
    // The name may contain spaces and brackets; the fields follow the last bracket.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [
      fields[1],
      ...fields.slice(11, 15),
    ]
    return { parent, own: (user + system) / TICKS, ended: (endedUser + endedSystem) / TICKS }
  } catch {
    return undefined
  }
}

/** CPU time of a process in seconds; undefined on systems other than Linux. */
export const cpuTimeOf = (pid: number): number | undefined => processOf(pid)?.own

/** The same, with its ended children. */
export function cpuTimeWithEnded(pid: number): number | undefined {
  const found = processOf(pid)
  return found && found.own + found.ended
}

/** The same, with all its children, such as the backends of Postgres. */
export function cpuTimeWithChildren(pid: number): number | undefined {
  const all = cpuTimeWithEnded(pid)
  if (all === undefined) return undefined
  return readdirSync('/proc')
    .map((name) => processOf(Number(name)))
    .reduce((sum, each) => sum + (each?.parent === pid ? each.own : 0), all)
}

/** The parent's process id. */
export const parentOf = (pid: number): number | undefined => processOf(pid)?.parent
