import type { RefusalCode } from '#contract/refusals.ts'
import { messages } from '#web/messages/en.ts'

/** Codes that the web app adds to the server's refusals: no response, or one that is not from the game. */
export type FailureCode = RefusalCode | 'offline' | 'unreachable' | 'timed_out' | 'cancelled' | 'unreadable'

/**
 * A failed call. `wasAnswered`: the game itself refused (the body has `success: false`). `hasMessage`: the response
 * states a reason, whether it comes from the game or from a proxy in front of it. `advice`: what to do about an action
 * that may have taken effect although no response came.
 */
export class CallError extends Error {
  declare readonly code: FailureCode
  declare readonly status: number
  declare readonly wasAnswered: boolean
  declare readonly hasMessage: boolean
  declare readonly advice: string | undefined

  constructor({ message, ...failure }: Failure) {
    super(withAdvice(message, failure.advice))
    this.name = 'CallError'
    Object.assign(this, { hasMessage: failure.wasAnswered }, failure)
  }
}

type Failure = Pick<CallError, 'code' | 'message' | 'status' | 'wasAnswered'> &
  Partial<Pick<CallError, 'hasMessage' | 'advice'>>

const withAdvice = (text: string, advice: string | undefined): string =>
  advice ? `${text.replace(/\.?$/, '.')} ${advice}` : text

/**
 * The error in a response that is not a success. An action may have taken effect if a proxy answered for the game; its own
 * message is shown as it is (S-103).
 */
export function parseCallError(status: number, body: unknown, advice?: string): CallError {
  const isObject = body !== null && typeof body === 'object'
  const { success, code, message } = (isObject ? body : {}) as Record<string, unknown>
  const wasAnswered = success === false
  // Its sentence is about keys, which players do not see.
  const isUnknown = wasAnswered && code === 'unknown_outcome'
  const hasMessage = typeof message === 'string' && message !== '' && !isUnknown
  return new CallError({
    code: wasAnswered && typeof code === 'string' ? (code as RefusalCode) : 'unreadable',
    message: hasMessage ? message : isUnknown ? messages.errors.unknownOutcome : messages.errors.unexpected,
    status,
    wasAnswered,
    hasMessage,
    advice: (wasAnswered && !isUnknown) || hasMessage || status < 500 ? undefined : advice,
  })
}

/** The reason that the error states, or `fallback` and what to do if it states none. */
export function getErrorMessage(error: unknown, fallback: string): string {
  if (!(error instanceof CallError)) return fallback
  return error.hasMessage ? error.message : withAdvice(fallback, error.advice)
}
