import type { ReadonlyUint8Array } from '@solana/kit'
import { isSignedBy, walletBytes } from '#server/account/wallet-signature.ts'
import type { Site } from '#server/platform/site.ts'
import { memoTransaction } from './memo-transaction.ts'
import { offchainV0Line, offchainV0Text, offchainV1 } from './offchain-message.ts'
import { signInText } from './sign-in-input.ts'
import { type Statement, toOneLine } from './statement.ts'

type Build = (site: Site, statement: Statement) => ReadonlyUint8Array

/**
 * Every form in which a wallet may sign a statement. Each is built from the statement alone; nothing of it comes from the
 * caller. The names are stored with withdrawals.
 */
const FORMS = {
  raw: (_site, { message }) => Buffer.from(message),
  offchain_v0_line: (site, statement) =>
    offchainV0Line(site, { wallet: statement.wallet, text: toOneLine(statement), domain: 'own' }),
  offchain_v0_line_no_domain: (site, statement) =>
    offchainV0Line(site, { wallet: statement.wallet, text: toOneLine(statement), domain: 'none' }),
  offchain_v0: (site, { wallet, message }) => offchainV0Text(site, { wallet, text: message, domain: 'own' }),
  offchain_v0_no_domain: (site, { wallet, message }) =>
    offchainV0Text(site, { wallet, text: message, domain: 'none' }),
  offchain_v1: (_site, { wallet, message }) => offchainV1({ wallet, text: message }),
  sign_in: (site, statement) => Buffer.from(signInText(site, statement)),
  sign_in_offchain_v1: (site, statement) =>
    offchainV1({ wallet: statement.wallet, text: signInText(site, statement) }),
  memo_transaction: (_site, statement) => memoTransaction(statement).messageBytes,
} as const satisfies Record<string, Build>

export type SignedForm = keyof typeof FORMS

const isSignedForm = (name: string): name is SignedForm => Object.hasOwn(FORMS, name)

/** The names of all forms. */
export const SIGNED_FORMS: readonly SignedForm[] = Object.keys(FORMS).filter(isSignedForm)

/** The bytes that a wallet signs for a statement in this form. The wallet must be an address. */
export const buildSignedForm = (site: Site, statement: Statement, form: SignedForm): ReadonlyUint8Array =>
  FORMS[form](site, statement)

/** The form in which the wallet says it signed the statement, or null if these bytes are none. */
export function findSignedForm(
  site: Site,
  statement: Statement,
  signedMessage: Uint8Array,
): SignedForm | null {
  const isThis = (form: SignedForm): boolean =>
    Buffer.compare(Uint8Array.from(buildSignedForm(site, statement, form)), signedMessage) === 0
  return SIGNED_FORMS.find(isThis) ?? null
}

/**
 * True if the wallet signed the statement in this form. The bytes are built here again, so the signature is verified over
 * them and never over bytes of the caller. An unknown form is not signed.
 */
export async function isSignedAs(
  site: Site,
  statement: Statement,
  { form, signature }: { form: string; signature: Uint8Array },
): Promise<boolean> {
  if (!isSignedForm(form) || !walletBytes(statement.wallet)) return false
  return isSignedBy(statement.wallet, Uint8Array.from(buildSignedForm(site, statement, form)), signature)
}
