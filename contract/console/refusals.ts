import { fillSentence } from '#contract/refusal-sentences.ts'

/**
 * Every expected error of the console: its HTTP status and its sentence. The game's table is another one, so that the
 * game's pages do not load this.
 */
export const CONSOLE_REFUSALS = {
  malformed: { status: 400, sentence: '{field}: {problem}' },
  not_logged_in: { status: 401, sentence: 'Your session has ended. Log in again.' },
  signature_failed: { status: 401, sentence: 'Signature verification failed. Nothing changed.' },
  signed_form_unknown: {
    status: 401,
    sentence:
      'Your wallet signed the message in a form that the console does not know. Nothing changed. Use another wallet.',
  },
  login_expired: { status: 401, sentence: 'This sign-in request has expired. Please try again.' },
  not_an_operator: {
    status: 403,
    sentence: 'This wallet is not in the operators’ file of this game.',
  },
  right_missing: {
    status: 403,
    sentence: 'This needs the right "{right}", which your wallet does not have.',
  },
  foreign_origin: { status: 403, sentence: 'Requests from this origin are not allowed.' },
  host_unknown: {
    status: 421,
    sentence: 'The console does not answer to this host name. CONSOLE_URL names the one that it answers to.',
  },
  route_unknown: { status: 404, sentence: 'Not found.' },
  withdrawal_not_found: { status: 404, sentence: 'This withdrawal does not exist.' },
  player_not_found: { status: 404, sentence: 'No player has this wallet.' },
  act_not_found: { status: 404, sentence: 'No signed act has this number.' },
  announcement_not_found: { status: 404, sentence: 'This announcement does not exist, or it is over.' },
  already_done: { status: 409, sentence: '{what} Nothing was changed.' },
  act_refused: { status: 409, sentence: '{problem}' },
  act_expired: { status: 409, sentence: 'The signed message has expired. Sign it again.' },
  act_reused: { status: 409, sentence: 'This signed message was submitted before. It has its effect once.' },
  too_large: { status: 413, sentence: 'The request is too large.' },
  wrong_media_type: { status: 415, sentence: 'Send JSON: content-type application/json.' },
  too_many_requests: { status: 429, sentence: 'Too many requests. Please wait {seconds} s.' },
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

/** The body of every error response of the console. */
export type ConsoleRefusalBody = { success: false; code: ConsoleRefusalCode; message: string } & Record<
  string,
  string | number | boolean
>

/** The response body of a refusal: code, sentence and facts. */
export function consoleRefusalBody({ code, facts }: ConsoleRefusal): ConsoleRefusalBody {
  const message = fillSentence(CONSOLE_REFUSALS[code].sentence, facts)
  return { ...facts, success: false, code, message }
}
