/** An error that the operator can fix. The program prints one sentence without a stack and exits with code 1. */
export class StartupError extends Error {}

/** A problem that may pass by itself: a supervisor starts the role again. */
export class PassingStartupError extends StartupError {}

/** An outage of something that the game has worked with before. A supervisor lets the game go on without the role meanwhile. */
export class OutageStartupError extends PassingStartupError {}

/** The code of a system error (`EACCES`, `EADDRINUSE`, …) or of a Postgres error, or ''. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
