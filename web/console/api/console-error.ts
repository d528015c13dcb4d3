import type { ConsoleRefusalCode } from '#contract/console/refusals.ts'

/** `unreachable`: no answer came. `unreadable`: an answer that is not from the console. */
export type ConsoleErrorCode = ConsoleRefusalCode | 'unreachable' | 'unreadable'

/** A call that failed, with a sentence for the operator. */
export class ConsoleError extends Error {
  readonly code: ConsoleErrorCode
  readonly status: number

  constructor({ code, status, message }: { code: ConsoleErrorCode; status: number; message: string }) {
    super(message)
    this.name = 'ConsoleError'
    this.code = code
    this.status = status
  }

  /**
   * Whether the call may have had its effect although no answer said so. The console may lose its database after it has
   * stored an act: only a refusal of the call itself says that nothing was done.
   */
  get isInDoubt(): boolean {
    const isRefusal = this.status >= 400 && this.status < 500 && this.code !== 'unreadable'
    return !isRefusal
  }
}

/** The reason that an error states for the operator, or this sentence. */
export const sentenceOf = (error: unknown, fallback: string): string =>
  error instanceof ConsoleError ? error.message : fallback
