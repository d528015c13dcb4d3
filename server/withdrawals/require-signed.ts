import type { Cotton } from '#game/cotton.ts'
import { signatureBytes, signedBy } from '#server/account/wallet-signature.ts'
import { refuse } from '#server/platform/answer.ts'
import { nonceIn, type Site, withdrawalMessage } from './withdrawal-message.ts'

type Signed = { wallet: string; amount: Cotton; message: string; signature: string }

/**
 * The nonce of a message that this wallet signed for this amount at this game. Everything but the nonce is the
 * server's own knowledge, so a message with one changed letter is not the one that was given out.
 */
export async function requireSigned(
  site: Site,
  { wallet, amount, message, signature }: Signed,
): Promise<string> {
  const nonce = nonceIn(message)
  const bytes = signatureBytes(signature)
  if (nonce === null || !bytes) refuse('signature_failed')
  const expected = withdrawalMessage(site, { wallet, amount, nonce })
  if (message !== expected || !(await signedBy(wallet, Buffer.from(expected), bytes)))
    refuse('signature_failed')
  return nonce
}
