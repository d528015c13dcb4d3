import { accessSync, closeSync, constants, fchownSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'

interface LockOptions {
  /** The lock's name: the file is `dir/<name>.lock`. */
  name: string
  /** The error text if another process holds the lock. */
  lockedMessage: string
  waitMs: number
}

/** Another process holds the lock. */
export class LockedError extends StartupError {}

// Keeps the handles reachable: the garbage collector would close them and thereby release the lock.
const openLocks = new Set<DatabaseSync>()

/**
 * Locks `dir/<name>.lock` for this process and returns the function that unlocks it. SQLite uses a kernel lock, which ends
 * with the process however it dies. A `LockedError` if another process holds the lock, and another `StartupError` if its file
 * cannot be written.
 */
export function lockFolder(dir: string, { name, lockedMessage: sentence, waitMs }: LockOptions): () => void {
  const lock = openLock(join(dir, `${name}.lock`), waitMs)
  try {
    // Nothing is ever written, so no journal file is needed.
    lock.exec('pragma journal_mode = memory; begin exclusive')
  } catch {
    lock.close()
    throw new LockedError(sentence)
  }
  openLocks.add(lock)
  return () => {
    openLocks.delete(lock)
    lock.close()
  }
}

function openLock(path: string, waitMs: number): DatabaseSync {
  let lock: DatabaseSync | undefined
  try {
    if (process.geteuid?.() === 0) createForOwner(path)
    lock = new DatabaseSync(path, { timeout: waitMs })
    // SQLite opens a file that this user may only read, and "exclusive" then excludes nobody.
    accessSync(path, constants.W_OK)
    return lock
  } catch {
    lock?.close()
    throw new StartupError(`${path} cannot be opened: it must be a file of the user that runs the game.`)
  }
}

/**
 * Creates the file for the owner of its folder. That user could not lock a file of root, which a command that root runs,
 * for example a backup by hand, would leave. What exists is not given away: it may be a link to another file.
 */
function createForOwner(path: string): void {
  const { uid, gid } = statSync(dirname(path))
  let file: number
  try {
    file = openSync(path, 'wx')
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return
    throw error
  }
  try {
    fchownSync(file, uid, gid)
  } catch {
    // A container may lack this right. Then the file stays one of root.
  } finally {
    closeSync(file)
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
