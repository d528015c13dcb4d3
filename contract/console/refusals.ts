import { fillSentence } from '#contract/refusal-sentences.ts'
import { type RefusalBody, REFUSALS } from '#contract/refusals.ts'

/** Every expected error of the console: its HTTP status and its sentence. Those that the game has too come from its table. */
export const CONSOLE_REFUSALS = {
  malformed: REFUSALS.malformed,
  not_logged_in: { status: 401, sentence: 'Your session has ended. Log in again.' },
  signature_failed: { status: 401, sentence: 'Signature verification failed. Nothing changed.' },
  signed_form_unknown: {
    status: 401,
    sentence:
      'Your wallet signed the message in a form that the console does not know. Nothing changed. Use another wallet.',
  },
  login_expired: REFUSALS.login_expired,
  not_an_operator: {
    status: 403,
    sentence: 'This wallet is not in the operators’ file of this game.',
  },
  right_missing: {
    status: 403,
    sentence: 'This needs the right "{right}", which your wallet does not have.',
  },
  foreign_origin: REFUSALS.foreign_origin,
  host_unknown: {
    status: 421,
    sentence: 'The console does not answer to this host name. CONSOLE_URL names the one that it answers to.',
  },
  route_unknown: REFUSALS.route_unknown,
  withdrawal_not_found: REFUSALS.withdrawal_not_found,
  player_not_found: { status: 404, sentence: 'No player has this wallet.' },
  act_not_found: { status: 404, sentence: 'No signed act has this number.' },
  announcement_not_found: { status: 404, sentence: 'This announcement does not exist, or it is over.' },
  already_done: { status: 409, sentence: '{what} Nothing was changed.' },
  act_refused: { status: 409, sentence: '{problem}' },
  too_large: REFUSALS.too_large,
  wrong_media_type: REFUSALS.wrong_media_type,
  too_many_requests: REFUSALS.too_many_requests,
  unexpected: {
    status: 500,
    sentence: 'Something went wrong in the console. The log of the role console says what.',
  },
  busy: { status: 503, sentence: 'The database is not answering. Please try again in a moment.' },
  unknown_outcome: {
    status: 503,
    sentence:
      'The connection broke while this was committed, so it may have happened. Check before you repeat it.',
  },
} as const satisfies Record<string, { status: number; sentence: string }>

export type ConsoleRefusalCode = keyof typeof CONSOLE_REFUSALS

/** A refusal with the facts of its sentence. */
export type ConsoleRefusal = {
  code: ConsoleRefusalCode
  facts: Readonly<Record<string, string | number>>
}

/** The response body of a refusal: code, sentence and facts. */
export function consoleRefusalBody({ code, facts }: ConsoleRefusal): RefusalBody<ConsoleRefusalCode> {
  const message = fillSentence(CONSOLE_REFUSALS[code].sentence, facts)
  return { ...facts, success: false, code, message }
}
