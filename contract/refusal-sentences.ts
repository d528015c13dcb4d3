import { formatCount } from '#game/cotton.ts'

// Sentences of `REFUSALS` that the web app also shows before it calls the server. Each has its own export, so that a
// page loads only those that it uses.

export const NOT_AUTHENTICATED = 'Not authenticated'
export const SIGNATURE_FAILED = 'Signature verification failed'
export const SIGNED_FORM_UNKNOWN =
  'Your wallet signed the message in a form that this game does not know. Nothing changed. Please try again, or use another wallet.'
export const NOT_ENOUGH_CREDIT = 'Not enough $COTTON tokens. Required: {required}, Available: {available}'
export const NOT_ENOUGH_CREDIT_FOR_PARCEL =
  'Not enough credits to purchase this parcel. Required: {required} tokens, Available: {available} tokens'
export const SOLD_OUT = 'No more {name} workers available for purchase'
export const PARCEL_OWNED = 'This parcel is already owned.'
export const OWN_LISTING = 'You cannot purchase your own listing.'
export const LISTING_GONE = 'This listing is no longer available.'
export const ALREADY_LISTED = 'This parcel is already listed.'
export const WALLET_FROZEN =
  'Your wallet is frozen, so nothing was changed. The operator gives this reason: {reason}'
export const MARKET_CLOSED = 'The marketplace is not open.'

/** The sentence with `{name}` replaced by that fact. Numbers are formatted like amounts; a missing fact stays `{name}`. */
export function fillSentence(sentence: string, facts: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const fact = facts[name] ?? whole
    return typeof fact === 'number' ? formatCount(fact) : fact
  })
}
