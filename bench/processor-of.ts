import { readdirSync, readFileSync } from 'node:fs'

// The unit of proc(5): a hundredth of a second on every Linux that Node runs on.
const TICKS = 100

/** A process: who started it, and seconds of the processor that it and its ended children have had so far. */
type Process = { parent: number; own: number; ended: number }

function processOf(pid: number): Process | undefined {
  try {
    // Its name may hold spaces and brackets; what counts stands behind the last of these.
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

/** Seconds of the processor that a process has had so far; undefined where the machine does not tell (Linux does). */
export const processorOf = (pid: number): number | undefined => processOf(pid)?.own

/** The same with those of its children that have ended. */
export function processorWithEnded(pid: number): number | undefined {
  const found = processOf(pid)
  return found && found.own + found.ended
}

/** The same with all of its children, as those that Postgres starts for its connections. */
export function processorWithChildren(pid: number): number | undefined {
  const all = processorWithEnded(pid)
  if (all === undefined) return undefined
  return readdirSync('/proc')
    .map((name) => processOf(Number(name)))
    .reduce((sum, each) => sum + (each?.parent === pid ? each.own : 0), all)
}

/** Who started it. */
export const parentOf = (pid: number): number | undefined => processOf(pid)?.parent
