import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '#server/platform/startup-error.ts'

/** An empty game takes 60 MB, most of it the database. The log of the database grows with the first moves. */
const NEEDED_MB = 100

/**
 * Refuses to create the embedded database on a disk that it would fill. A `StartupError` names folder and need; nothing is
 * created. A database that exists is left to Postgres, which starts again once there is room.
 */
export function requireSpace(dataDir: string, readFree = freeMbOf): void {
  if (existsSync(join(dataDir, 'postgres'))) return
  const freeMb = readFree(dataDir)
  if (freeMb >= NEEDED_MB) return
  throw new StartupError(
    `The disk of ${dataDir} is full: it has ${freeMb} MB left, and a new game needs ${NEEDED_MB} MB. Make room, or set DATA_DIR to a folder on another disk. Nothing was created.`,
  )
}

function freeMbOf(path: string): number {
  const { bavail, bsize, blocks } = statfsSync(path)
  // Some file systems do not say how large they are.
  return blocks === 0 ? Infinity : Math.floor((bavail * bsize) / 1_000_000)
}
