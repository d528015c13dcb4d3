import * as sentences from './refusal-sentences.ts'

/**
 * Every expected error: its HTTP status and its sentence. `{name}` is filled from the refusal's facts. Sentences that
 * the spec fixes appear here verbatim.
 */
export const REFUSALS = {
  malformed: { status: 400, sentence: '{field}: {problem}' },
  tokens_disagree: { status: 400, sentence: 'x-auth-token and Authorization carry different sessions.' },
  key_malformed: { status: 400, sentence: 'Idempotency-Key must be 8 to 128 printable characters.' },
  not_authenticated: { status: 401, sentence: sentences.NOT_AUTHENTICATED },
  signature_failed: { status: 401, sentence: sentences.SIGNATURE_FAILED },
  signed_form_unknown: { status: 401, sentence: sentences.SIGNED_FORM_UNKNOWN },
  login_expired: { status: 401, sentence: 'This login request has expired. Please try again.' },
  wallet_of_another: { status: 403, sentence: 'The wallet in this request does not match your session.' },
  foreign_origin: { status: 403, sentence: 'Requests from this origin are not allowed.' },
  own_listing: { status: 403, sentence: sentences.OWN_LISTING },
  listing_not_yours: { status: 403, sentence: 'This listing is not yours.' },
  parcel_not_yours: { status: 403, sentence: 'This parcel is not yours.' },
  listing_not_found: { status: 404, sentence: 'This listing does not exist.' },
  worker_not_found: { status: 404, sentence: 'That picker isn’t yours.' },
  parcel_not_found: { status: 404, sentence: 'This parcel does not exist.' },
  route_unknown: { status: 404, sentence: 'Not found.' },
  not_enough_credit: { status: 409, sentence: sentences.NOT_ENOUGH_CREDIT },
  sold_out: { status: 409, sentence: sentences.SOLD_OUT },
  parcel_owned: { status: 409, sentence: sentences.PARCEL_OWNED },
  wallet_frozen: { status: 409, sentence: sentences.WALLET_FROZEN },
  listing_suspended: {
    status: 409,
    sentence: 'This listing cannot be bought right now. Nothing was charged.',
  },
  price_moved: { status: 409, sentence: 'The price has moved to {newPrice} $COTTON. Nothing was charged.' },
  not_enough_credit_for_parcel: { status: 409, sentence: sentences.NOT_ENOUGH_CREDIT_FOR_PARCEL },
  market_closed: { status: 409, sentence: sentences.MARKET_CLOSED },
  already_listed: { status: 409, sentence: sentences.ALREADY_LISTED },
  listing_gone: { status: 409, sentence: sentences.LISTING_GONE },
  nothing_to_claim: { status: 409, sentence: 'There is nothing to claim yet.' },
  above_balance: {
    status: 409,
    sentence:
      'This is more than your balance of {balance} $COTTON. Right now you can withdraw {available} $COTTON.',
  },
  not_withdrawable: {
    status: 409,
    sentence:
      'Right now you can withdraw {available} $COTTON: unspent deposits, and earnings up to today’s limit.',
  },
  too_many_withdrawals: {
    status: 409,
    sentence:
      'You have {open} open withdrawals; the limit is {most}. Nothing was withdrawn. Try again when one of them has been paid or refunded.',
  },
  deposit_first: {
    status: 409,
    sentence:
      'You can withdraw earnings once one of your deposits has been credited. Right now you can withdraw {available} $COTTON.',
  },
  withdrawals_paused: {
    status: 503,
    sentence: 'Withdrawals are paused. Your balance is safe; please try again later.',
  },
  withdrawals_locked: {
    status: 409,
    sentence: 'You have locked your withdrawals. They open {opens} at the earliest.',
  },
  session_not_found: { status: 404, sentence: 'This session has already ended.' },
  withdrawal_not_found: { status: 404, sentence: 'This withdrawal does not exist.' },
  not_cancellable: {
    status: 409,
    sentence: 'This withdrawal is already on its way to your wallet, or it has ended. Nothing was changed.',
  },
  challenge_expired: { status: 409, sentence: 'This withdrawal request has expired. Please start again.' },
  transaction_not_ours: {
    status: 409,
    sentence: 'This is not the transaction that was prepared for your deposit. Please start again.',
  },
  transaction_rejected: { status: 409, sentence: 'The chain rejected this transaction: {reason}' },
  too_slow: { status: 408, sentence: 'The request took too long to arrive.' },
  too_large: { status: 413, sentence: 'The request is too large.' },
  address_too_long: { status: 414, sentence: 'The URL is too long.' },
  wrong_media_type: { status: 415, sentence: 'Send JSON: content-type application/json.' },
  expectation_unknown: {
    status: 417,
    sentence: 'The Expect header is not supported.',
  },
  key_reused: { status: 422, sentence: 'This Idempotency-Key was used for a different request.' },
  too_many_requests: { status: 429, sentence: 'Too many requests. Please wait {seconds} s.' },
  headers_too_large: { status: 431, sentence: 'The request headers are too large.' },
  unexpected: {
    status: 500,
    sentence: 'Something went wrong on our side. Your request took effect once or not at all.',
  },
  busy: { status: 503, sentence: 'The game is busy. Please try again in a moment.' },
  unknown_outcome: {
    status: 503,
    sentence:
      'We do not know yet whether this happened. Repeat it only with the same idempotency key, or check your history first.',
  },
  chain_unreachable: {
    status: 503,
    sentence: 'The chain is not responding. Please try again in a moment.',
  },
} as const satisfies Record<string, { status: number; sentence: string }>

export type RefusalCode = keyof typeof REFUSALS

/** A refusal with the facts of its sentence and any further facts for the caller. */
export type Refusal<Code extends RefusalCode = RefusalCode> = {
  code: Code
  facts: Readonly<Record<string, string | number>>
}

/** The body of every error response. */
export type RefusalBody<Code extends string = RefusalCode> = {
  success: false
  code: Code
  message: string
} & Record<string, string | number | boolean>

/** The sentence of a refusal with its facts filled in. Numbers are formatted like amounts. */
export function sentenceOf(refusal: Refusal): string {
  return sentences.fillSentence(REFUSALS[refusal.code].sentence, refusal.facts)
}

/** The response body of a refusal: code, sentence and facts. */
export function refusalBody(refusal: Refusal): RefusalBody {
  return { ...refusal.facts, success: false, code: refusal.code, message: sentenceOf(refusal) }
}
