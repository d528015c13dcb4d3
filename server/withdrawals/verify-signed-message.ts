import type { Cotton } from '#game/cotton.ts'
import { signatureBytes, isSignedBy } from '#server/account/wallet-signature.ts'
import { refuse } from '#server/platform/answer.ts'
import type { Site } from '#server/platform/site.ts'
import { extractNonce, withdrawalMessage } from './withdrawal-message.ts'

type SignedMessage = { wallet: string; amount: Cotton; message: string; signature: string }

/** What shows for ever that a wallet asked for a withdrawal: the nonce of its message, and the signature's 64 bytes. */
export type SignatureProof = { nonce: string; walletSignature: Uint8Array }

/**
 * The proof in a message that this wallet signed for this amount at this game. Everything but the nonce is the
 * server's own knowledge, so a message with one changed letter is not the one that was given out.
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
