import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'

interface LockOptions {
  /** Who holds it: the file is `dir/<name>.lock`. */
  name: string
  /** What to say when somebody else holds it. */
  lockedMessage: string
  waitMs: number
}

// Unreachable handles are closed by the garbage collector, and a closed one is unlocked.
const openLocks = new Set<DatabaseSync>()

/**
 * Takes `dir/<name>.lock` for this process alone. SQLite's lock is the kernel's, so it ends with the process however
 * that dies, and nothing has to be cleaned up. Answers how to give it back. A `StartProblem` when it is held.
 */
export function lockFolder(dir: string, { name, lockedMessage: sentence, waitMs }: LockOptions): () => void {
  const lock = new DatabaseSync(join(dir, `${name}.lock`), { timeout: waitMs })
  try {
    // Nothing is ever written, so no journal file is wanted beside it.
    lock.exec('pragma journal_mode = memory; begin exclusive')
  } catch {
    lock.close()
    throw new StartupError(sentence)
  }
  openLocks.add(lock)
  return () => {
    openLocks.delete(lock)
    lock.close()
  }
}

/** Makes the data folder when it is missing. A `StartProblem` when it cannot be made or written to. */
export function prepareFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true })
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartupError(
      `The folder ${dir} cannot be written (${describeReason(error)}): set DATA_DIR to one that can.`,
    )
  }
}

function describeReason(error: unknown): string {
  switch (errorCode(error)) {
    case 'EACCES':
    case 'EPERM':
      return 'permission denied'
    case 'EROFS':
      return 'it is read-only'
    case 'ENOTDIR':
    case 'EEXIST':
      return 'a file is in the way'
    case 'ENOSPC':
      return 'the disk is full'
    default:
      return errorCode(error)
  }
}
