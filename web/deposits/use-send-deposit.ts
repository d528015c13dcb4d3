import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { submitDeposit } from '#contract/deposits.ts'
import type { Cotton } from '#game/cotton.ts'
import { call } from '#web/api/call.ts'
import { CallError, getErrorMessage } from '#web/api/call-error.ts'
import { HISTORY_KEY } from '#web/api/history-key.ts'
import { refetchChanged } from '#web/api/refetch-changed.ts'
import { session, useSession } from '#web/api/session.ts'
import { WALLET_BALANCE_KEY } from '#web/api/wallet-balance-key.ts'
import { depositMessages } from '#web/messages/en-deposit.ts'
import { useStore } from '#web/store.ts'
import { usePressOnce } from '#web/ui/press-once.ts'
import { LoginError } from '#web/wallet/login-error.ts'
import { untilCancelled } from '#web/wallet/until-cancelled.ts'
import { type DepositState, recordSent, sentDeposits, sentFrom, showDeposit } from './deposit-state.ts'
import { useCreditCheck } from './use-credit-check.ts'

/**
 * Transfers an amount from the player's wallet, and checks until it is credited while a component uses it. Every
 * component shows the same deposit.
 */
export function useSendDeposit(): {
  /** `fromGuide`: sent from the first steps. */
  send: (amount: Cotton, from?: { fromGuide: boolean }) => void
  deposit: DepositState
  resting: boolean
  /** Puts a deposit away that failed, was cancelled or is credited. */
  dismiss: () => void
  /** Stops waiting for the wallet. Does nothing once the transfer is on its way to the game. */
  cancel: () => void
} {
  const client = useQueryClient()
  const { walletAddress } = useSession()
  const { shown, outstanding, since } = sentFrom(useStore(sentDeposits), walletAddress)
  const slow = useCreditCheck({ wallet: walletAddress, since, enabled: outstanding > 0n })
  const { press, resting } = usePressOnce('deposit')
  return {
    send: (amount, from) => press(() => submit(client, amount, from)),
    deposit: shown.step === 'waiting' ? { ...shown, slow } : shown,
    resting,
    dismiss: () => showDeposit(walletAddress, { step: 'idle' }),
    cancel: () => attempt.abort(),
  }
}

/** The newest attempt. Outside of React, because it continues on the next page. */
let attempt = new AbortController()

async function submit(client: QueryClient, amount: Cotton, from?: { fromGuide: boolean }): Promise<void> {
  const { walletAddress: wallet } = session.get()
  attempt = new AbortController()
  const { signal: cancelled } = attempt
  // While a wallet does not answer, presses are ignored. Those of the next player must not be.
  const stopWatching = session.subscribe(() => {
    if (session.get().walletAddress !== wallet) attempt.abort()
  })
  try {
    showDeposit(wallet, { step: 'preparing', amount })
    const loading = import('./sign-transfer.ts').catch(() => {
      throw new LoginError(depositMessages.notLoaded)
    })
    const { signTransfer } = await untilCancelled(loading, cancelled)
    const onSigning = (): void => showDeposit(wallet, { step: 'signing', amount })
    const signed = await signTransfer(amount, { onSigning, cancelled })
    if (!signed.sent) {
      showDeposit(wallet, { step: 'sending', amount })
      await call(submitDeposit, { body: { transaction: signed.transaction } })
    }
    // The game finds the deposit on the chain, whoever sent it.
    recordSent(wallet, amount, Date.now(), from)
  } catch (error) {
    const isCancelled = cancelled.aborted && error === cancelled.reason
    const problem = describeProblem(wallet, error)
    showDeposit(wallet, isCancelled ? { step: 'cancelled', amount } : { step: 'failed', amount, problem })
  } finally {
    stopWatching()
  }
  refetchChanged(client, { queryKey: HISTORY_KEY })
  void client.invalidateQueries({ queryKey: WALLET_BALANCE_KEY })
}

/** Without a response, of the game or of the chain, it is unknown whether the transfer was sent. */
function describeProblem(wallet: string | null, error: unknown): string {
  if (error instanceof LoginError) return error.message
  if (error instanceof CallError && error.code === 'signature_failed') return depositMessages.signFailed
  const isSending = sentFrom(sentDeposits.get(), wallet).shown.step === 'sending'
  const isUnanswered =
    error instanceof CallError && (!error.wasAnswered || error.code === 'chain_unreachable')
  if (isSending && isUnanswered) return depositMessages.unknownResult
  return getErrorMessage(error, depositMessages.failed)
}
