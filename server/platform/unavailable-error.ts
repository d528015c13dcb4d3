import { isDatabaseUnavailable } from './db/db.ts'

/** What the game depends on did not answer: nothing is known, and later it may. */
export class UnavailableError extends Error {
  override readonly name: string = 'UnavailableError'
}

/** True where the chain or the database does not answer, so that all other work would fail as well. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof UnavailableError || isDatabaseUnavailable(error)
}
