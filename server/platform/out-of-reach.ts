import { isUnavailable } from './db/db.ts'

/** What the game depends on did not answer: nothing is known, and later it may. */
export class OutOfReach extends Error {
  override readonly name: string = 'OutOfReach'
}

/** True where the chain or the database does not answer, so that all other work would fail as well. */
export function isOutOfReach(error: unknown): boolean {
  return error instanceof OutOfReach || isUnavailable(error)
}
