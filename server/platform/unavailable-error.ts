import { isDatabaseUnavailable } from './db/db.ts'

/** A dependency did not answer. The outcome is unknown, and a retry may succeed. */
export class UnavailableError extends Error {
  override readonly name: string = 'UnavailableError'
}

/** True if the chain or the database is unavailable, so that all other work would fail as well. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof UnavailableError || isDatabaseUnavailable(error)
}
