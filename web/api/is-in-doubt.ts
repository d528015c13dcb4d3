import { CallError } from './call-error.ts'

/** Whether an action without an answer may have taken effect. */
export const isInDoubt = (error: unknown): boolean =>
  error instanceof CallError && (!error.wasAnswered || error.code === 'unknown_outcome')
