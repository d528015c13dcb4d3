import type { Refusal, RefusalCode } from '#contract/refusals.ts'

/** An action's answer to one request: the reply or a refusal. */
export type Answer<Reply> =
  | { readonly reply: Reply; readonly refusal?: undefined }
  | { readonly refusal: Refusal; readonly reply?: undefined }

/** The request is granted. */
export function granted<Reply>(reply: Reply): Answer<Reply> {
  return { reply }
}

/** The request is refused and has no effect. */
export function refused(code: RefusalCode, facts: Refusal['facts'] = {}): Answer<never> {
  return { refusal: { code, facts } }
}

/** A refusal as an error. The HTTP layer turns it into a status and a message. */
export class Refused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.code)
    this.name = 'Refused'
    this.refusal = refusal
  }
}

/** Refuses in the handler of a single request. */
export function refuse(code: RefusalCode, facts: Refusal['facts'] = {}): never {
  throw new Refused({ code, facts })
}

/** The reply of a granted answer. Throws the refusal of a refused one. */
export function replyOf<Reply>(answer: Answer<Reply>): Reply {
  if (answer.refusal) throw new Refused(answer.refusal)
  return answer.reply
}
