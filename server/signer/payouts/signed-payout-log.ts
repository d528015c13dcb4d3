import {
  appendFileSync,
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { isSignature } from '@solana/kit'
import type { Signature } from '#server/chain/port.ts'
import { errorCode } from '#server/platform/startup-error.ts'

type LoggedPayout = { id: string; signature: Signature }

/** How many of the newest lines are read. Older payouts are in every backup. */
const MAX_READ = 100_000

/** Every payout that was signed, stored outside the database, so that restoring the database does not revert it. */
export type SignedPayoutLog = {
  /** The line is on disk when this returns. */
  append(payout: LoggedPayout): void
  all(): LoggedPayout[]
}

/** Opens the signer's log of signed payouts, one line each. */
export function openSignedPayoutLog(path: string): SignedPayoutLog {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return {
    append({ id, signature }) {
      const file = openSync(path, 'a+', 0o600)
      try {
        appendFileSync(file, `${endsWithinLine(file) ? '\n' : ''}${id} ${signature}\n`)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
    },
    all: () => readLines(path).slice(-MAX_READ).flatMap(parseLine),
  }
}

/** Logs nothing. Tests use it. */
export const NO_SIGNED_PAYOUT_LOG: SignedPayoutLog = { append: () => {}, all: () => [] }

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
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
