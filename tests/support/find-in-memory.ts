import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

const CHUNK_BYTES = 16 * 2 ** 20
const LARGEST_REGION_BYTES = 2 ** 32

/** The reason why the memory of another process cannot be read on this machine; null if it can. */
export function findMemoryAccessError(pid: number): string | null {
  if (process.platform !== 'linux') return `there is no /proc on ${process.platform}`
  try {
    closeSync(openSync(`/proc/${pid}/mem`, 'r'))
    return null
  } catch (error) {
    return String(error)
  }
}

/** The names of those byte strings that occur in the memory of a process. */
export function findInMemory(pid: number, needles: ReadonlyMap<string, Buffer>): string[] {
  const found = new Set<string>()
  const overlap = Math.max(...[...needles.values()].map((needle) => needle.length)) - 1
  const memory = openSync(`/proc/${pid}/mem`, 'r')
  const chunk = Buffer.alloc(CHUNK_BYTES)
  try {
    for (const { from, to } of readableRegions(pid)) {
      for (let at = from; at < to; at += CHUNK_BYTES - overlap) {
        const read = readAt(memory, chunk, { at, bytes: Math.min(CHUNK_BYTES, to - at) })
        if (read === 0) break
        for (const [name, needle] of needles) {
          if (chunk.subarray(0, read).includes(needle)) found.add(name)
        }
      }
    }
  } finally {
    closeSync(memory)
  }
  return [...found]
}

function readableRegions(pid: number): { from: number; to: number }[] {
  return readFileSync(`/proc/${pid}/maps`, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, from = '', to = '', kind = ''] =
        /^([0-9a-f]+)-([0-9a-f]+) r\S+ \S+ \S+ \S+\s*(.*)$/.exec(line) ?? []
      const region = { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }
      // Kernel mappings, and reserved memory that was never used.
      const foreign = from === '' || kind.startsWith('[v') || region.to - region.from > LARGEST_REGION_BYTES
      return foreign ? [] : [region]
    })
}

function readAt(memory: number, chunk: Buffer, { at, bytes }: { at: number; bytes: number }): number {
  try {
    return readSync(memory, chunk, 0, bytes, at)
  } catch {
    // The process has unmapped this region in the meantime.
    return 0
  }
}
