import { appendFileSync, closeSync, fsyncSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isSignature } from '@solana/kit'
import type { Signature } from '#server/chain/port.ts'
import { errorCode } from '#server/platform/startup-error.ts'

type LoggedPayout = { id: string; signature: Signature }

/** Older ones are in any backup. */
const MAX_READ = 100_000

/** What was ever signed, kept outside the database: a backup of that does not take it back. */
export type SignedPayoutLog = {
  /** On the disk when it returns. */
  append(payout: LoggedPayout): void
  all(): LoggedPayout[]
}

/** The signer's own list of what it signed, one line each. */
export function openSignedPayoutLog(path: string): SignedPayoutLog {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return {
    append({ id, signature }) {
      const file = openSync(path, 'a', 0o600)
      try {
        appendFileSync(file, `${id} ${signature}\n`)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
    },
    all: () => readLines(path).slice(-MAX_READ).flatMap(parseLine),
  }
}

/** For a signer that keeps nothing outside its database. */
export const NO_SIGNED_PAYOUT_LOG: SignedPayoutLog = { append: () => {}, all: () => [] }

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

// A power cut may leave half a line: its payout was not committed, so nothing was sent of it.
function parseLine(line: string): LoggedPayout[] {
  const [id = '', signature = ''] = line.split(' ')
  return isSignature(signature) ? [{ id, signature }] : []
}
