import { totalOf } from '#game/credit.ts'
import { isSignedBy } from '#server/account/wallet-signature.ts'
import type { Site } from '#server/platform/site.ts'
import type { OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import { withdrawalMessage } from '#server/withdrawals/withdrawal-message.ts'

/**
 * True if the wallet signed this withdrawal for this site. The message is built from the row, so amount, wallet and
 * nonce are what the wallet signed. The signature is verified by the strict rules of the login.
 */
export async function isSigned(site: Site, withdrawal: OpenWithdrawal): Promise<boolean> {
  const { wallet, nonce, walletSignature } = withdrawal
  const message = withdrawalMessage(site, { wallet, amount: totalOf(withdrawal), nonce })
  return isSignedBy(wallet, Buffer.from(message), walletSignature)
}
