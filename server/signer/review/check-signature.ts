import { totalOf } from '#game/credit.ts'
import { isSignedAs } from '#server/account/signed-forms/signed-forms.ts'
import type { Site } from '#server/platform/site.ts'
import type { OpenWithdrawal } from '#server/withdrawals/open-withdrawals.ts'
import { withdrawalText } from '#server/withdrawals/withdrawal-message.ts'

/**
 * True if the wallet signed this withdrawal for this site. The signed bytes are built from the row in the form that it
 * names, so amount, wallet and nonce are what the wallet signed. The signature is verified by the strict rules of the login.
 */
export async function isSigned(site: Site, withdrawal: OpenWithdrawal): Promise<boolean> {
  const { wallet, nonce, walletSignature: signature, signedForm: form } = withdrawal
  const toSign = withdrawalText(site, { wallet, amount: totalOf(withdrawal), nonce })
  return isSignedAs(site, toSign, { form, signature })
}
