import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { challengeWithdrawal, requestWithdrawal } from '#contract/withdrawals.ts'
import type { Cotton } from '#game/cotton.ts'
import { call } from '#web/api/call.ts'
import { CallError } from '#web/api/call-error.ts'
import { HISTORY_KEY } from '#web/api/history-key.ts'
import { refetchChanged } from '#web/api/refetch-changed.ts'
import { readBalanceIfInDoubt, setBalance } from '#web/api/use-balance.ts'
import { usePressOnce } from '#web/ui/press-once.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { LoginError } from '#web/wallet/login-error.ts'
import { untilCancelled } from '#web/wallet/until-cancelled.ts'
import { withdrawalMessages } from '#web/messages/en-withdrawals.ts'
import { WITHDRAWABLE_KEY, WITHDRAWALS_KEY } from './use-withdrawals.ts'

/** How long the toast is shown (S-29). */
const SUBMITTED_MS = 5_000

/** Longer, because the text says what to do. */
const FAILED_MS = 6_000

export type WithdrawStep = 'idle' | 'asking' | 'signing' | 'sending'

/**
 * Reads a challenge, has the wallet sign it, sends the request and calls `onSubmitted`. If the component is removed before
 * the request is sent, nothing is sent, whatever the wallet answers later. If it is removed after that, a toast shows the
 * result.
 */
export function useWithdraw(onSubmitted: () => void) {
  const client = useQueryClient()
  const { press, resting } = usePressOnce('withdraw')
  const [step, setStep] = useState<WithdrawStep>('idle')
  const [failure, setFailure] = useState<string | null>(null)
  const removal = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    removal.current = controller
    return () => controller.abort()
  }, [])

  const request = async (amount: Cotton, cancelled: AbortSignal): Promise<void> => {
    setFailure(null)
    setStep('asking')
    const { signForSession } = await untilCancelled(import('#web/wallet/log-in.ts'), cancelled)
    const signed = await signForSession(
      (form) => call(challengeWithdrawal, { body: { amount, ...form }, signal: cancelled }),
      { failed: withdrawalMessages.signFailed, onSigning: () => setStep('signing'), cancelled },
    )
    // At once, so that no press can close the dialog once the request is on its way.
    flushSync(() => setStep('sending'))
    setBalance(client, await call(requestWithdrawal, { body: { amount, ...signed } }))
    showToast({ kind: 'success', text: withdrawalMessages.submitted, durationMs: SUBMITTED_MS })
    onSubmitted()
  }

  const submit = (amount: Cotton): Promise<void> => {
    const { signal: removed } = removal.current
    return request(amount, removed)
      .catch((error: unknown) => {
        readBalanceIfInDoubt(client, error)
        const text = describeFailure(error)
        if (!removed.aborted) setFailure(text)
        else if (error instanceof CallError) showToast({ kind: 'error', text, durationMs: FAILED_MS })
      })
      .finally(() => {
        setStep('idle')
        for (const queryKey of [WITHDRAWALS_KEY, HISTORY_KEY]) refetchChanged(client, { queryKey })
        void client.invalidateQueries({ queryKey: WITHDRAWABLE_KEY })
      })
  }
  const forgetFailure = (): void => setFailure(null)
  return { withdraw: (amount: Cotton) => press(() => submit(amount)), step, resting, failure, forgetFailure }
}

/** Why the withdrawal was not requested. The server does not say of a wrong signature what became of the tokens. */
export function describeFailure(error: unknown): string {
  if (error instanceof CallError && error.code === 'signature_failed') return withdrawalMessages.signFailed
  const known = error instanceof LoginError || error instanceof CallError
  return known ? error.message : withdrawalMessages.failed
}
