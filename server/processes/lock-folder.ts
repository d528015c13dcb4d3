import { accessSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'

interface LockOptions {
  /** The lock's name: the file is `dir/<name>.lock`. */
  name: string
  /** The error text if another process holds the lock. */
  lockedMessage: string
  waitMs: number
}

// Keeps the handles reachable: the garbage collector would close them and thereby release the lock.
const openLocks = new Set<DatabaseSync>()

/**
 * Locks `dir/<name>.lock` for this process and returns the function that unlocks it. SQLite uses a kernel lock, which ends
 * with the process however it dies. A `StartupError` if another process holds the lock, or if its file cannot be opened.
 */
export function lockFolder(dir: string, { name, lockedMessage: sentence, waitMs }: LockOptions): () => void {
  const lock = openLock(join(dir, `${name}.lock`), waitMs)
  try {
    // Nothing is ever written, so no journal file is needed.
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

/** A command that root has run, for example a backup by hand, may have left a file that others cannot open. */
function openLock(path: string, waitMs: number): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: waitMs })
  } catch {
    throw new StartupError(`${path} cannot be opened: it must be a file of the user that runs the game.`)
  }
}

/** Creates the data folder if it is missing. A `StartupError` if it cannot be created or written to. */
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
