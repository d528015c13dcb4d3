import type { RefusalCode } from '#contract/refusals.ts'
import { messages } from '#web/messages/en.ts'

/** What the web adds to the server's refusals: no answer came, or one that is not the game's. */
export type FailureCode = RefusalCode | 'unreachable' | 'timed_out' | 'unreadable'

/**
 * A call that did not succeed. `wasAnswered`: the game itself said no (its body had `success: false`); `hasMessage`:
 * the answer says why, be it the game's or that of a server in front of it.
 */
export class CallError extends Error {
  readonly code: FailureCode
  readonly status: number
  readonly wasAnswered: boolean
  readonly hasMessage: boolean

  constructor(options: {
    code: FailureCode
    message: string
    status: number
    wasAnswered: boolean
    hasMessage?: boolean
  }) {
    super(options.message)
    this.name = 'CallError'
    this.code = options.code
    this.status = options.status
    this.wasAnswered = options.wasAnswered
    this.hasMessage = options.hasMessage ?? options.wasAnswered
  }
}

/** The refusal in an answer that is not a success. */
export function parseCallError(status: number, body: unknown): CallError {
  const isObject = body !== null && typeof body === 'object'
  const { success, code, message } = (isObject ? body : {}) as Record<string, unknown>
  const wasAnswered = success === false
  const hasMessage = typeof message === 'string' && message !== ''
  return new CallError({
    code: wasAnswered && typeof code === 'string' ? (code as RefusalCode) : 'unreadable',
    message: hasMessage ? message : messages.errors.unexpected,
    status,
    wasAnswered,
    hasMessage,
  })
}

/** The server's own sentence where it gave one, else `fallback`. */
export function getErrorMessage(error: unknown, fallback: string): string {
  return error instanceof CallError && error.hasMessage ? error.message : fallback
}
