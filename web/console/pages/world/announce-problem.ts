import { actMessages } from '#web/messages/en-console-acts.ts'
import { ConsoleError, sentenceOf } from '../../api/console-error.ts'

/** Why an announcement failed. One that may have been stored would be shown twice if it were announced again. */
export const announceProblem = (error: unknown): string =>
  error instanceof ConsoleError && error.isInDoubt
    ? actMessages.announce.inDoubt
    : sentenceOf(error, actMessages.confirmFailed)
