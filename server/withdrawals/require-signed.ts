import type { Cotton } from '#game/cotton.ts'
import { signatureBytes, signedBy } from '#server/account/wallet-signature.ts'
import { refuse } from '#server/platform/answer.ts'
import type { Site } from '#server/platform/site.ts'
import { nonceIn, withdrawalMessage } from './withdrawal-message.ts'

type Signed = { wallet: string; amount: Cotton; message: string; signature: string }

/** What shows for ever that a wallet asked for a withdrawal: the nonce of its message, and the signature's 64 bytes. */
export type Proof = { nonce: string; walletSignature: Uint8Array }

/**
 * The proof in a message that this wallet signed for this amount at this game. Everything but the nonce is the
 * server's own knowledge, so a message with one changed letter is not the one that was given out.
 */
export async function requireSigned(
  site: Site,
  { wallet, amount, message, signature }: Signed,
): Promise<Proof> {
  const nonce = nonceIn(message)
  const walletSignature = signatureBytes(signature)
  if (nonce === null || !walletSignature) refuse('signature_failed')
  const expected = withdrawalMessage(site, { wallet, amount, nonce })
  if (message !== expected || !(await signedBy(wallet, Buffer.from(expected), walletSignature)))
    refuse('signature_failed')
  return { nonce, walletSignature }
}
