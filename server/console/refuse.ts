import type { ConsoleRefusal, ConsoleRefusalCode } from '#contract/console/refusals.ts'

/** A refusal of the console as an error. The server answers it with a status and a sentence. */
export class ConsoleRefused extends Error {
  readonly refusal: ConsoleRefusal

  constructor(refusal: ConsoleRefusal) {
    super(refusal.code)
    this.name = 'ConsoleRefused'
    this.refusal = refusal
  }
}

export function refuseCall(code: ConsoleRefusalCode, facts: ConsoleRefusal['facts'] = {}): never {
  throw new ConsoleRefused({ code, facts })
}
