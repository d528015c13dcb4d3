import { canonicalBytes } from '#server/account/wallet-signature.ts'
import { refuse } from '#server/platform/answer.ts'
import type { Site } from '#server/platform/site.ts'
import { findSignedForm, isSignedAs, type SignedForm } from './signed-forms.ts'
import type { TextToSign } from './text-to-sign.ts'

/** What a wallet returned: base64 of its signature, and of the bytes that it says it signed. */
export type WalletAnswer = { signature: string; signedMessage?: string | undefined }

/** A verified signature, and the form in which the wallet signed. */
export type VerifiedSignature = { form: SignedForm; signature: Uint8Array }

/**
 * Verifies that the wallet signed this text in a known form. What the caller reports as signed only selects the
 * form. Refuses with signed_form_unknown if it is none, and with signature_failed.
 */
export async function verifySignedText(
  site: Site,
  toSign: TextToSign,
  { signature: encoded, signedMessage }: WalletAnswer,
): Promise<VerifiedSignature> {
  const signature = canonicalBytes(encoded)
  const reported = signedMessage === undefined ? Buffer.from(toSign.message) : canonicalBytes(signedMessage)
  if (!signature || !reported) refuse('signature_failed')
  const form = findSignedForm(site, toSign, reported)
  if (!form) refuse('signed_form_unknown')
  if (!(await isSignedAs(site, toSign, { form, signature }))) refuse('signature_failed')
  return { form, signature }
}
