import { errorCode, StartupError } from './startup-error.ts'

/** No space, no number for another file, or the quota of the user. */
const FULL = new Set(['ENOSPC', 'EDQUOT'])

/** `SQLITE_FULL`: SQLite does not pass on the code of the system. */
const SQLITE_FULL = 13

/** A sentence for an error of a file in the data folder if its disk is full; undefined for other errors. */
export function explainFullDisk(error: unknown, dataDir: string): StartupError | undefined {
  if (!(error instanceof Error)) return undefined
  const isFull = FULL.has(errorCode(error)) || ('errcode' in error && error.errcode === SQLITE_FULL)
  // Where a user may not watch more files, which `npm run dev` does, the code is the same.
  const isWatch = 'syscall' in error && error.syscall === 'watch'
  if (!isFull || isWatch) return undefined
  return new StartupError(
    `The disk of ${dataDir} is full (${error.message}): make room, or set DATA_DIR to a folder on another disk, then start again.`,
  )
}
