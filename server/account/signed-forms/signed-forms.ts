import { isSolanaError, type ReadonlyUint8Array } from '@solana/kit'
import { isSignedBy, walletBytes } from '#server/account/wallet-signature.ts'
import type { Site } from '#server/platform/site.ts'
import { memoTransaction } from './memo-transaction.ts'
import { offchainV0Line, offchainV0Text, offchainV1 } from './offchain-message.ts'
import { signInText } from './sign-in-input.ts'
import { type TextToSign, toOneLine } from './text-to-sign.ts'

type Build = (site: Site, toSign: TextToSign) => ReadonlyUint8Array

/**
 * Every form in which a wallet may sign a text. Each is built from the text alone; nothing of it comes from the
 * caller. The names are stored with withdrawals.
 */
const FORMS = {
  raw: (_site, { message }) => Buffer.from(message),
  offchain_v0_line: (site, toSign) =>
    offchainV0Line(site, { wallet: toSign.wallet, text: toOneLine(toSign), domain: 'own' }),
  offchain_v0_line_no_domain: (site, toSign) =>
    offchainV0Line(site, { wallet: toSign.wallet, text: toOneLine(toSign), domain: 'none' }),
  offchain_v0: (site, { wallet, message }) => offchainV0Text(site, { wallet, text: message, domain: 'own' }),
  offchain_v0_no_domain: (site, { wallet, message }) =>
    offchainV0Text(site, { wallet, text: message, domain: 'none' }),
  offchain_v1: (_site, { wallet, message }) => offchainV1({ wallet, text: message }),
  sign_in: (site, toSign) => Buffer.from(signInText(site, toSign)),
  sign_in_offchain_v1: (site, toSign) =>
    offchainV1({ wallet: toSign.wallet, text: signInText(site, toSign) }),
  memo_transaction: (_site, toSign) => memoTransaction(toSign).messageBytes,
} as const satisfies Record<string, Build>

export type SignedForm = keyof typeof FORMS

const isSignedForm = (name: string): name is SignedForm => Object.hasOwn(FORMS, name)

/** The names of all forms. */
export const SIGNED_FORMS: readonly SignedForm[] = Object.keys(FORMS).filter(isSignedForm)

/** The bytes that a wallet signs for a text in this form. The wallet must be an address. */
export const buildSignedForm = (site: Site, toSign: TextToSign, form: SignedForm): ReadonlyUint8Array =>
  FORMS[form](site, toSign)

/** Null if the form cannot carry the text: some forms take printable ASCII or 1,232 bytes only. */
function tryBuild(site: Site, toSign: TextToSign, form: SignedForm): ReadonlyUint8Array | null {
  try {
    return buildSignedForm(site, toSign, form)
  } catch (error) {
    if (isSolanaError(error)) return null
    throw error
  }
}

/** The form in which the wallet says it signed the text, or null if these bytes are none. */
export function findSignedForm(site: Site, toSign: TextToSign, signedMessage: Uint8Array): SignedForm | null {
  const isThis = (form: SignedForm): boolean => {
    const bytes = tryBuild(site, toSign, form)
    return bytes !== null && Buffer.compare(Uint8Array.from(bytes), signedMessage) === 0
  }
  return SIGNED_FORMS.find(isThis) ?? null
}

/**
 * True if the wallet signed the text in this form. The bytes are built here again, so the signature is verified over
 * them and never over bytes of the caller. An unknown form is not signed.
 */
export async function isSignedAs(
  site: Site,
  toSign: TextToSign,
  { form, signature }: { form: string; signature: Uint8Array },
): Promise<boolean> {
  if (!isSignedForm(form) || !walletBytes(toSign.wallet)) return false
  const bytes = tryBuild(site, toSign, form)
  return bytes !== null && isSignedBy(toSign.wallet, Uint8Array.from(bytes), signature)
}
