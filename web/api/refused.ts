import type { RefusalCode } from '#contract/refusals.ts'
import { words } from '#web/messages/en.ts'

/** What the web adds to the server's refusals: no answer came, or one that is not the game's. */
export type FailureCode = RefusalCode | 'unreachable' | 'timed_out' | 'unreadable'

/**
 * A call that did not succeed. `wasAnswered`: the game itself said no (its body had `success: false`); `hasSentence`:
 * the answer says why, be it the game's or that of a server in front of it.
 */
export class Refused extends Error {
  readonly code: FailureCode
  readonly status: number
  readonly wasAnswered: boolean
  readonly hasSentence: boolean

  constructor(given: {
    code: FailureCode
    message: string
    status: number
    wasAnswered: boolean
    hasSentence?: boolean
  }) {
    super(given.message)
    this.name = 'Refused'
    this.code = given.code
    this.status = given.status
    this.wasAnswered = given.wasAnswered
    this.hasSentence = given.hasSentence ?? given.wasAnswered
  }
}

/** The refusal in an answer that is not a success. */
export function refusalIn(status: number, body: unknown): Refused {
  const isObject = body !== null && typeof body === 'object'
  const { success, code, message } = (isObject ? body : {}) as Record<string, unknown>
  const wasAnswered = success === false
  const hasSentence = typeof message === 'string' && message !== ''
  return new Refused({
    code: wasAnswered && typeof code === 'string' ? (code as RefusalCode) : 'unreadable',
    message: hasSentence ? message : words.errors.unexpected,
    status,
    wasAnswered,
    hasSentence,
  })
}

/** The server's own sentence where it gave one, else `fallback`. */
export function sentenceFor(error: unknown, fallback: string): string {
  return error instanceof Refused && error.hasSentence ? error.message : fallback
}
