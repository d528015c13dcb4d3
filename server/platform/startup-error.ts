/** Something the operator can mend: shown as one sentence, without a stack, and the program ends with code 1. */
export class StartupError extends Error {}

/** The code of a system error (`EACCES`, `EADDRINUSE`, …) or of a Postgres error, '' when there is none. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
