import { readFileSync } from 'node:fs'
import { listProcessTree } from '#tests/support/run-server.ts'

/** Megabytes of the machine's memory by the part of the game that holds them, where the machine tells (Linux). */
export function memoryOf(pid: number): Map<string, number> {
  const parts = new Map<string, number>()
  for (const { pid: each, command } of listProcessTree(pid)) {
    const megabytes = shareOf(each)
    if (megabytes === undefined) continue
    const part = partOf(command)
    parts.set(part, (parts.get(part) ?? 0) + megabytes)
  }
  return parts
}

/** What processes share is counted in parts, so that the sum is what the machine gave (proc(5), smaps_rollup). */
function shareOf(pid: number): number | undefined {
  try {
    const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
  } catch {
    // It ended between the two looks, or this machine has no such file.
    return undefined
  }
}

function partOf(command: string): string {
  const role = /server\/main\.ts (\S+)/.exec(command)?.[1]
  if (role !== undefined) return `role ${role}`
  if (/postgres/.test(command)) return 'Postgres'
  return /scripts\/start\.mjs/.test(command) ? 'supervisor' : 'npm'
}
