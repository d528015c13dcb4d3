import type { RefusalCode } from '#contract/refusals.ts'
import { messages } from '#web/messages/en.ts'

/** Codes that the web app adds to the server's refusals: no response, or one that is not from the game. */
export type FailureCode = RefusalCode | 'unreachable' | 'timed_out' | 'unreadable'

/**
 * A failed call. `wasAnswered`: the game itself refused (the body has `success: false`). `hasMessage`: the response
 * states a reason, whether it comes from the game or from a proxy in front of it.
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

/** The error in a response that is not a success. */
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

/** The server's message, or `fallback` if it sent none. */
export function getErrorMessage(error: unknown, fallback: string): string {
  return error instanceof CallError && error.hasMessage ? error.message : fallback
}
