import { shown } from '#game/cotton.ts'

/**
 * Every way in which the game says no: its HTTP status and its sentence. `{name}` is filled from the refusal's facts.
 * Sentences quoted by the spec stand here word for word.
 */
export const REFUSALS = {
  malformed: { status: 400, sentence: '{field}: {problem}' },
  tokens_disagree: { status: 400, sentence: 'x-auth-token and Authorization name two different sessions.' },
  key_malformed: { status: 400, sentence: 'Idempotency-Key: 8 to 128 printable characters.' },
  not_authenticated: { status: 401, sentence: 'Not authenticated' },
  signature_failed: { status: 401, sentence: 'Signature verification failed' },
  login_expired: { status: 401, sentence: 'This sign-in request has expired. Please try again.' },
  wallet_of_another: { status: 403, sentence: 'This call names a wallet that is not yours.' },
  foreign_origin: { status: 403, sentence: 'This site may not call the game.' },
  own_listing: { status: 403, sentence: 'You cannot purchase your own listing.' },
  listing_not_yours: { status: 403, sentence: 'This listing is not yours.' },
  parcel_not_yours: { status: 403, sentence: 'This parcel is not yours.' },
  listing_not_found: { status: 404, sentence: 'There is no such listing.' },
  worker_not_found: { status: 404, sentence: 'You have no such worker.' },
  parcel_not_found: { status: 404, sentence: 'There is no such parcel.' },
  route_unknown: { status: 404, sentence: 'There is no such call.' },
  not_enough_credit: {
    status: 409,
    sentence: 'Not enough $COTTON tokens. Required: {required}, Available: {available}',
  },
  sold_out: { status: 409, sentence: 'No more {name} workers available for purchase' },
  parcel_owned: { status: 409, sentence: 'This parcel is already owned.' },
  price_moved: { status: 409, sentence: 'The price has moved to {newPrice} $COTTON. Nothing was charged.' },
  not_enough_credit_for_parcel: {
    status: 409,
    sentence:
      'Not enough credits to purchase this parcel. Required: {required} tokens, Available: {available} tokens',
  },
  market_closed: { status: 409, sentence: 'The marketplace is not open.' },
  already_listed: { status: 409, sentence: 'This parcel is already listed.' },
  listing_gone: { status: 409, sentence: 'This listing is no longer available.' },
  nothing_to_claim: { status: 409, sentence: 'There is nothing to claim yet.' },
  above_balance: {
    status: 409,
    sentence:
      'This is more than your balance of {balance} $COTTON. Right now you can withdraw {available} $COTTON.',
  },
  not_withdrawable: {
    status: 409,
    sentence:
      'Right now you can withdraw {available} $COTTON: all you deposited, and earned credit within today’s budget.',
  },
  too_many_withdrawals: {
    status: 409,
    sentence:
      'You have {open} open withdrawals, and {most} is the limit. Nothing was taken. Try again when one of them has been paid or refunded.',
  },
  deposit_first: {
    status: 409,
    sentence:
      'Earned credit can be withdrawn once a deposit of yours has been credited. Right now you can withdraw {available} $COTTON.',
  },
  withdrawals_paused: {
    status: 503,
    sentence: 'Withdrawals are paused. Your balance is safe; please try again later.',
  },
  challenge_expired: { status: 409, sentence: 'This withdrawal request has expired. Please start again.' },
  transaction_not_ours: {
    status: 409,
    sentence: 'This is not the deposit that was prepared for you. Please start again.',
  },
  transaction_rejected: { status: 409, sentence: 'The chain refused this transaction: {reason}' },
  too_slow: { status: 408, sentence: 'The request took too long to arrive.' },
  too_large: { status: 413, sentence: 'The request is too large.' },
  address_too_long: { status: 414, sentence: 'The address is too long.' },
  wrong_media_type: { status: 415, sentence: 'Send JSON: content-type application/json.' },
  expectation_unknown: {
    status: 417,
    sentence: 'Leave out the Expect header: this server knows no expectations.',
  },
  key_reused: { status: 422, sentence: 'This Idempotency-Key was used for a different request.' },
  too_many_requests: { status: 429, sentence: 'Too many requests. Please wait {seconds} s.' },
  headers_too_large: { status: 431, sentence: 'The headers of the request are too large.' },
  unexpected: { status: 500, sentence: 'Something went wrong on our side. Nothing was charged twice.' },
  busy: { status: 503, sentence: 'The game is busy. Please try again in a moment.' },
  chain_unreachable: {
    status: 503,
    sentence: 'The chain does not answer right now. Please try again in a moment.',
  },
} as const satisfies Record<string, { status: number; sentence: string }>

export type RefusalCode = keyof typeof REFUSALS

/** A refusal with the facts of its sentence, and anything more that the caller may act on. */
export type Refusal = { code: RefusalCode; facts: Readonly<Record<string, string | number>> }

/** The body of every answer that is not a success. */
export type RefusalBody = { success: false; code: RefusalCode; message: string } & Record<
  string,
  string | number | boolean
>

/** The sentence of a refusal with its facts filled in; numbers are shown as the game shows amounts. */
export function sentenceOf(refusal: Refusal): string {
  return REFUSALS[refusal.code].sentence.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const fact = refusal.facts[name] ?? whole
    return typeof fact === 'number' ? shown(fact) : fact
  })
}

/** The refusal as it travels: code, sentence, and its facts beside them. */
export function refusalBody(refusal: Refusal): RefusalBody {
  return { ...refusal.facts, success: false, code: refusal.code, message: sentenceOf(refusal) }
}
