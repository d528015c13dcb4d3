import { dirname } from 'node:path'
import { isDatabaseUnavailable } from '#server/platform/db/db.ts'
import { DISK_FULL } from '#server/platform/db/error-codes.ts'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'

/** A sentence with the remedy for errors of a disk or a folder; other errors as they are. */
export function describeFileError(
  error: unknown,
  { path, outcome }: { path: string; outcome: string },
): unknown {
  if (error instanceof Error && error.name === 'AbortError') return new StartupError(`Stopped. ${outcome}`)
  if (isDatabaseUnavailable(error))
    return new StartupError(`The database went away. ${outcome} Try again when it is back.`)
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new StartupError(
        `The disk of ${dirname(path)} is full. ${outcome} Make room, or use another disk.`,
      )
    case DISK_FULL:
      return new StartupError(`The disk of the database is full. ${outcome} Make room, or use another disk.`)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new StartupError(
        `${dirname(path)} cannot be written (${errorCode(error)}). ${outcome} Use a folder that this user may write.`,
      )
    case 'ENOENT':
    case 'ENOTDIR':
      return new StartupError(
        `The folder ${dirname(path)} does not exist. ${outcome} Create it, or name another.`,
      )
    case 'EEXIST':
    case 'ENOTEMPTY':
      return new StartupError(`${path} exists already. ${outcome} Name another.`)
    case 'EBUSY':
      return new StartupError(`${path} is in use, or a disk of its own. ${outcome} Name a new folder.`)
    default:
      return error
  }
}
