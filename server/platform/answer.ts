import type { Refusal, RefusalCode } from '#contract/refusals.ts'

/** What a set-based action answers to one of its requests: what was asked for, or why not. */
export type Answer<Reply> =
  | { readonly reply: Reply; readonly refusal?: undefined }
  | { readonly refusal: Refusal; readonly reply?: undefined }

/** The request is granted. */
export function granted<Reply>(reply: Reply): Answer<Reply> {
  return { reply }
}

/** The request is refused, and had no effect. */
export function refused(code: RefusalCode, facts: Refusal['facts'] = {}): Answer<never> {
  return { refusal: { code, facts } }
}

/** A refusal on its way to the caller; the HTTP edge turns it into its status and sentence. */
export class Refused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.code)
    this.name = 'Refused'
    this.refusal = refusal
  }
}

/** Refuses where a single request is handled. */
export function refuse(code: RefusalCode, facts: Refusal['facts'] = {}): never {
  throw new Refused({ code, facts })
}

/** The reply of a granted answer; throws the refusal of the other. */
export function replyOf<Reply>(answer: Answer<Reply>): Reply {
  if (answer.refusal) throw new Refused(answer.refusal)
  return answer.reply
}
