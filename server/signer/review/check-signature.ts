import { totalOf } from '#game/credit.ts'
import { isSignedBy } from '#server/account/wallet-signature.ts'
import type { Site } from '#server/platform/site.ts'
import type { OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import { withdrawalMessage } from '#server/withdrawals/withdrawal-message.ts'

/**
 * True where the wallet itself signed for this very withdrawal at this game: the words are built anew from the row, so
 * that its amount, wallet and nonce are what was signed, and the check is the strict one of the login. A withdrawal of
 * the time before signatures were kept passes here, and is the policy's to judge.
 */
export async function isSigned(site: Site, withdrawal: OpenWithdrawal): Promise<boolean> {
  const { wallet, nonce, walletSignature, beforeSignatures } = withdrawal
  if (beforeSignatures) return true
  if (nonce === null || walletSignature === null) return false
  const message = withdrawalMessage(site, { wallet, amount: totalOf(withdrawal), nonce })
  return isSignedBy(wallet, Buffer.from(message), walletSignature)
}
