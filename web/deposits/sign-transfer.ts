import { readChain } from '#contract/chain.ts'
import { prepareDeposit } from '#contract/deposits.ts'
import type { Cotton } from '#game/cotton.ts'
import { call } from '#web/api/call.ts'
import { depositMessages } from '#web/messages/en-deposit.ts'
import { walletMessages } from '#web/messages/en-wallets.ts'
import { ensureSigningWallet } from '#web/wallet/log-in.ts'
import { LoginError } from '#web/wallet/login-error.ts'
import { sendsItself, type SentOrSigned, signAndSend } from '#web/wallet/send-transaction.ts'
import { untilCancelled } from '#web/wallet/until-cancelled.ts'
import { readWalletProblem } from '#web/wallet/wallet-problem.ts'

/**
 * Has the wallet of the session sign a transfer to the game, and send it where it can. Throws LoginError. Once
 * `cancelled` is aborted, throws its reason if nothing was sent, and discards a signature that arrives later.
 */
export async function signTransfer(
  amount: Cotton,
  { onSigning, cancelled }: { onSigning: () => void; cancelled: AbortSignal },
): Promise<SentOrSigned> {
  const connected = await untilCancelled(ensureSigningWallet(cancelled), cancelled)
  const preparing = Promise.all([
    call(prepareDeposit, { body: { amount }, signal: cancelled }),
    call(readChain, { signal: cancelled }),
  ])
  const [{ transaction }, chain] = await untilCancelled(preparing, cancelled)
  onSigning()
  const signing = signAndSend(connected, transaction, chain)
  const signed = await untilCancelled(signing, cancelled).catch((error: unknown) => {
    const isKnown = readWalletProblem(error) === 'declined' || !sendsItself(connected, chain)
    if (!isKnown) throw new LoginError(walletMessages.unknownSending)
    throw cancelled.aborted ? error : new LoginError(depositMessages.signFailed)
  })
  if (!signed) throw new LoginError(walletMessages.noSigning)
  return signed
}
