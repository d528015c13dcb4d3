import type { Cotton } from '#game/cotton.ts'
import type { SignedForm } from '#server/account/signed-forms/signed-forms.ts'
import { verifySignedText, type WalletAnswer } from '#server/account/signed-forms/verify-signed-text.ts'
import { refuse } from '#server/platform/answer.ts'
import type { Site } from '#server/platform/site.ts'
import { extractNonce, withdrawalText } from './withdrawal-message.ts'

type SignedMessage = WalletAnswer & { wallet: string; amount: Cotton; message: string }

/** Proves that a wallet requested a withdrawal: the nonce of the message, the 64 bytes of the signature, and its form. */
export type SignatureProof = { nonce: string; walletSignature: Uint8Array; signedForm: SignedForm }

/**
 * Verifies that the wallet signed a withdrawal of this amount for this site. The server builds the expected message and
 * takes only the nonce from the submitted one, so a message with any change is refused.
 */
export async function verifySignedMessage(
  site: Site,
  { wallet, amount, message, ...answer }: SignedMessage,
): Promise<SignatureProof> {
  const nonce = extractNonce(message)
  if (nonce === null) refuse('signature_failed')
  const toSign = withdrawalText(site, { wallet, amount, nonce })
  if (message !== toSign.message) refuse('signature_failed')
  const { form, signature } = await verifySignedText(site, toSign, answer)
  return { nonce, walletSignature: signature, signedForm: form }
}
