import {
  accessSync,
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { isSignature } from '@solana/kit'
import type { Signature } from '#server/chain/port.ts'
import { errorCode, StartupError } from '#server/platform/startup-error.ts'
import { syncFolder } from '#server/platform/sync-folder.ts'

export type LoggedPayout = { id: string; signature: Signature }

/** An id, a space, a signature of at most 88 characters, and the end of the line. */
const LONGEST_LINE = 36 + 1 + 88 + 1

/** How much of the end of the log is read: about 100,000 payouts. Older ones are in every backup. */
const MAX_READ_BYTES = 100_000 * LONGEST_LINE

/** Every payout that was signed, stored outside the database, so that restoring the database does not revert it. */
export type SignedPayoutLog = {
  /** The line is on disk when this returns. */
  append(payout: LoggedPayout): void
  newest(): LoggedPayout[]
}

/** Opens the signer's log of signed payouts, one line each. A `StartupError` if it cannot be read and written. */
export function openSignedPayoutLog(path: string): SignedPayoutLog {
  requireWritable(path)
  return {
    append({ id, signature }) {
      const file = openSync(path, 'a+', 0o600)
      try {
        const isNew = fstatSync(file).size === 0
        appendFileSync(file, `${endsWithinLine(file) ? '\n' : ''}${id} ${signature}\n`)
        fsyncSync(file)
        if (isNew) syncFolder(dirname(path))
      } finally {
        closeSync(file)
      }
    },
    newest: () => readLastLines(path).flatMap(parseLine),
  }
}

/** Without the log nothing is paid, and that would be noticed only when somebody waits. A restore may copy it as root. */
function requireWritable(path: string): void {
  const folder = dirname(path)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK | constants.X_OK)
    const file = openIfExists(path, 'r+')
    if (file !== null) closeSync(file)
  } catch (error) {
    throw new StartupError(
      `${path} cannot be written (${errorCode(error)}): it must be a file of the user that runs the signer.`,
    )
  }
}

/** Logs nothing. Tests use it. */
export const NO_SIGNED_PAYOUT_LOG: SignedPayoutLog = { append: () => {}, newest: () => [] }

function readLastLines(path: string): string[] {
  const file = openIfExists(path, 'r')
  if (file === null) return []
  try {
    const { size } = fstatSync(file)
    const from = Math.max(0, size - MAX_READ_BYTES)
    const end = Buffer.alloc(size - from)
    const lines = end.toString('utf8', 0, readSync(file, end, 0, end.length, from)).split('\n')
    // What is read may begin within a line.
    return from > 0 ? lines.slice(1) : lines
  } finally {
    closeSync(file)
  }
}

function openIfExists(path: string, flags: 'r' | 'r+'): number | null {
  try {
    return openSync(path, flags)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/** True after a partial line, which would swallow the next one. */
function endsWithinLine(file: number): boolean {
  const { size } = fstatSync(file)
  const last = Buffer.alloc(1)
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n'
}

// A power failure or a full disk may leave a partial line. Its payout was not committed, so it was never sent.
function parseLine(line: string): LoggedPayout[] {
  const [id = '', signature = ''] = line.split(' ')
  return isSignature(signature) ? [{ id, signature }] : []
}
