import { prepareDeposit, readChain } from '#contract/deposits.ts'
import type { Cotton } from '#game/cotton.ts'
import { call } from '#web/api/call.ts'
import { depositMessages } from '#web/messages/en-deposit.ts'
import { messages } from '#web/messages/en.ts'
import { ensureSigningWallet } from '#web/wallet/log-in.ts'
import { LoginError } from '#web/wallet/login-error.ts'
import { sendsItself, type SentOrSigned, signAndSend } from '#web/wallet/send-transaction.ts'
import { readWalletProblem } from '#web/wallet/wallet-problem.ts'

/** Has the wallet of the session sign a transfer to the game, and send it where it can. Throws LoginError. */
export async function signTransfer(amount: Cotton, onSigning: () => void): Promise<SentOrSigned> {
  const connected = await ensureSigningWallet()
  const [{ transaction }, { cluster }] = await Promise.all([
    call(prepareDeposit, { body: { amount } }),
    call(readChain, {}),
  ])
  onSigning()
  const signed = await signAndSend(connected, transaction, cluster).catch((error: unknown) => {
    const isKnown = readWalletProblem(error) === 'declined' || !sendsItself(connected, cluster)
    throw new LoginError(isKnown ? depositMessages.signFailed : depositMessages.unknownSending)
  })
  if (!signed) throw new LoginError(messages.wallet.cannotSign)
  return signed
}
