import { actMessages } from '#web/messages/en-console-acts.ts'
import { ConsoleError, sentenceOf } from '../api/console-error.ts'

/** Why an act without a signature failed. One whose answer was lost may have been done. */
export const readFailure = (error: unknown): { tone: 'bad' | 'warn'; text: string } =>
  error instanceof ConsoleError && error.isInDoubt
    ? { tone: 'warn', text: actMessages.confirmInDoubt }
    : { tone: 'bad', text: sentenceOf(error, actMessages.confirmFailed) }
