import { statfs } from 'node:fs/promises'
import { StartupError } from '#server/platform/startup-error.ts'
import { formatBytes } from './format-bytes.ts'

/** What a backup leaves free for the built-in Postgres, which ends when it cannot write its log. */
const RESERVED_BYTES = 256_000_000

/** The free space is read after so many bytes, so a smaller backup is not stopped. */
const READ_EVERY_BYTES = 16_000_000

/** Called with the bytes that a backup is about to write. Stops it with a `StartupError`. */
export type CheckFreeSpace = (bytes: number) => Promise<void>

/** Stops a backup before it fills the disk of the data folder. */
export function createFreeSpaceCheck(dataDir: string, readFree = readFreeBytes): CheckFreeSpace {
  let unreadBytes = 0
  return async (bytes) => {
    unreadBytes += bytes
    if (unreadBytes < READ_EVERY_BYTES) return
    unreadBytes = 0
    const free = await readFree(dataDir)
    if (free >= RESERVED_BYTES) return
    throw new StartupError(
      `The disk of ${dataDir} has only ${formatBytes(free)} left, which the database needs. No backup was made. Make room, or use a larger disk.`,
    )
  }
}

async function readFreeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}
