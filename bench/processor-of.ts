import { readFileSync } from 'node:fs'

// The unit of proc(5): a hundredth of a second on every Linux that Node runs on.
const TICKS = 100

/** Seconds of the processor that a process has had so far; undefined where the machine does not tell (Linux does). */
export function processorOf(pid: number): number | undefined {
  try {
    // Its name may hold spaces and brackets; what counts stands behind the last of these.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS
  } catch {
    return undefined
  }
}
