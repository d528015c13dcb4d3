import { statfsSync } from 'node:fs'

/** The free bytes on the disk of a folder; null for a file system that does not say how large it is. */
export function readFreeBytes(folder: string): number | null {
  const { bavail, bsize, blocks } = statfsSync(folder)
  return blocks === 0 ? null : bavail * bsize
}
