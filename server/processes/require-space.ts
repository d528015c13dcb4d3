import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readFreeBytes } from '#server/platform/read-free-bytes.ts'
import { StartupError } from '#server/platform/startup-error.ts'

/** An empty game takes 60 MB, most of it the database. The log of the database grows with the first moves. */
const NEEDED_MB = 100
const MB = 1_000_000

/**
 * Refuses to create the embedded database on a disk that it would fill. A `StartupError` names folder and need; nothing is
 * created. A database that exists is left to Postgres, which starts again once there is room.
 */
export function requireSpace(dataDir: string, readFree = readFreeBytes): void {
  if (existsSync(join(dataDir, 'postgres'))) return
  const free = readFree(dataDir)
  if (free === null || free >= NEEDED_MB * MB) return
  throw new StartupError(
    `The disk of ${dataDir} is full: it has ${Math.floor(free / MB)} MB left, and a new game needs ${NEEDED_MB} MB. Make room, or set DATA_DIR to a folder on another disk. Nothing was created.`,
  )
}
