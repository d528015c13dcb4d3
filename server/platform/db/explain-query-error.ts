import { errorCode, StartupError } from '../startup-error.ts'
import { DISK_FULL, INSUFFICIENT_PRIVILEGE } from './error-codes.ts'

/** A table, a column or a function does not exist. */
const UNDEFINED = new Set(['42P01', '42703', '42883'])

/**
 * A sentence with the remedy for a statement that fails because of the database or the login that an operator has named, or
 * because of a full disk; undefined for other errors.
 */
export function explainQueryError(error: unknown): StartupError | undefined {
  const code = errorCode(error)
  const reason = error instanceof Error ? error.message : ''
  if (UNDEFINED.has(code))
    return new StartupError(
      `The database is not that of the game, or is older than this program (${reason}): check DATABASE_URL and DATA_DIR. If they are right, start the game once, or migrate.`,
    )
  if (code === INSUFFICIENT_PRIVILEGE)
    return new StartupError(`The login of DATABASE_URL may not do this (${reason}): use the owner's login.`)
  if (code === DISK_FULL)
    return new StartupError(
      `The disk of the database is full (${reason}): make room as docs/runbooks/game-down.md says, then repeat the command.`,
    )
  return undefined
}
