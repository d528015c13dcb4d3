import type { RefusalCode } from '#contract/refusals.ts'
import { words } from '#web/words/en.ts'

/** What the web adds to the server's refusals: no answer came, or one that is not the game's. */
export type FailureCode = RefusalCode | 'unreachable' | 'timed_out' | 'unreadable'

/**
 * A call that did not succeed. `wasAnswered`: the game itself said no (its body had `success: false`); `hasSentence`:
 * and said why.
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
  if (body !== null && typeof body === 'object' && 'success' in body && body.success === false) {
    const { code, message } = body as { code?: unknown; message?: unknown }
    const hasSentence = typeof message === 'string' && message !== ''
    return new Refused({
      code: typeof code === 'string' ? (code as RefusalCode) : 'unreadable',
      message: hasSentence ? message : words.errors.unexpected,
      status,
      wasAnswered: true,
      hasSentence,
    })
  }
  return new Refused({ code: 'unreadable', message: words.errors.unexpected, status, wasAnswered: false })
}

/** The server's own sentence where it gave one, else `fallback`. */
export function sentenceFor(error: unknown, fallback: string): string {
  return error instanceof Refused && error.hasSentence ? error.message : fallback
}
