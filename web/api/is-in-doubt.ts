import { CallError } from './call-error.ts'

/** Whether an action may have taken effect although no answer says so. */
export const isInDoubt = (error: unknown): boolean =>
  error instanceof CallError &&
  (!error.wasAnswered || error.code === 'unknown_outcome' || error.code === 'unexpected')
