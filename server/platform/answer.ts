import type { Refusal, RefusalCode } from '#contract/refusals.ts'
import type { RefusalOf, ReplyOf, Route } from '#contract/route.ts'

/** An action's answer to one request: the reply or a refusal. */
export type Answer<Reply, Code extends RefusalCode = RefusalCode> =
  | { readonly reply: Reply; readonly refusal?: undefined }
  | { readonly refusal: Refusal<Code>; readonly reply?: undefined }

/** An answer of this route: its reply, or a refusal that it declares. Another code does not compile. */
export type AnswerOf<R extends Route> = Answer<ReplyOf<R>, RefusalOf<R>>

/** The request is granted. */
export function granted<Reply>(reply: Reply): Answer<Reply, never> {
  return { reply }
}

/** The request is refused and has no effect. */
export function refused<Code extends RefusalCode>(
  code: Code,
  facts: Refusal['facts'] = {},
): Answer<never, Code> {
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
