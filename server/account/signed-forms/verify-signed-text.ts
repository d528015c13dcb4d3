import { canonicalBytes } from '#server/account/wallet-signature.ts'
import { refuse } from '#server/platform/answer.ts'
import type { Site } from '#server/platform/site.ts'
import { findSignedForm, isSignedAs, type SignedForm } from './signed-forms.ts'
import type { Statement } from './statement.ts'

/** What a wallet returned: base64 of its signature, and of the bytes that it says it signed. */
export type WalletAnswer = { signature: string; signedMessage?: string | undefined }

/** A verified signature, and the form in which the wallet signed. */
export type SignedStatement = { form: SignedForm; signature: Uint8Array }

/**
 * Verifies that the wallet signed this statement in a known form. What the caller reports as signed only selects the
 * form. Refuses with signed_form_unknown if it is none, and with signature_failed.
 */
export async function verifyStatement(
  site: Site,
  statement: Statement,
  { signature: encoded, signedMessage }: WalletAnswer,
): Promise<SignedStatement> {
  const signature = canonicalBytes(encoded)
  const reported =
    signedMessage === undefined ? Buffer.from(statement.message) : canonicalBytes(signedMessage)
  if (!signature || !reported) refuse('signature_failed')
  const form = findSignedForm(site, statement, reported)
  if (!form) refuse('signed_form_unknown')
  if (!(await isSignedAs(site, statement, { form, signature }))) refuse('signature_failed')
  return { form, signature }
}
