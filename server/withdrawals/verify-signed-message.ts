import type { Cotton } from '#game/cotton.ts'
import { signatureBytes, isSignedBy } from '#server/account/wallet-signature.ts'
import { refuse } from '#server/platform/answer.ts'
import type { Site } from '#server/platform/site.ts'
import { extractNonce, withdrawalMessage } from './withdrawal-message.ts'

type SignedMessage = { wallet: string; amount: Cotton; message: string; signature: string }

/** Proves that a wallet requested a withdrawal: the nonce of the message and the 64 bytes of the signature. */
export type SignatureProof = { nonce: string; walletSignature: Uint8Array }

/**
 * Verifies that the wallet signed a withdrawal of this amount for this site. The server builds the expected message and
 * takes only the nonce from the submitted one, so a message with any change is refused.
 */
export async function verifySignedMessage(
  site: Site,
  { wallet, amount, message, signature }: SignedMessage,
): Promise<SignatureProof> {
  const nonce = extractNonce(message)
  const walletSignature = signatureBytes(signature)
  if (nonce === null || !walletSignature) refuse('signature_failed')
  const expected = withdrawalMessage(site, { wallet, amount, nonce })
  if (message !== expected || !(await isSignedBy(wallet, Buffer.from(expected), walletSignature)))
    refuse('signature_failed')
  return { nonce, walletSignature }
}
