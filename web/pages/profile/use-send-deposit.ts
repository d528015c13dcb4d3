import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { checkDeposit, prepareDeposit, submitDeposit } from '#contract/deposits.ts'
import { baseUnits, type Cotton, ZERO } from '#game/cotton.ts'
import { call } from '#web/api/call.ts'
import { getErrorMessage } from '#web/api/call-error.ts'
import { readAmount } from '#web/api/complete.ts'
import { setBalance } from '#web/api/use-balance.ts'
import { WALLET_BALANCE_KEY } from '#web/api/use-wallet-balance.ts'
import { formatAmount } from '#web/messages/amount.ts'
import { usePressOnce } from '#web/ui/press-once.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { base64, fromBase64 } from '#web/wallet/bytes.ts'
import { LoginError, ensureSigningWallet } from '#web/wallet/log-in.ts'
import { signTransaction } from '#web/wallet/wallets.ts'
import { messages } from '#web/messages/en.ts'
import { HISTORY_KEY } from './use-history.ts'

const CHECK_EVERY_MS = 2_500
/** After this time the player reads that they can leave the page. */
const SLOW_AFTER_MS = 90_000
const NOTE_MS = 5_000

export type SendStep = 'idle' | 'preparing' | 'signing' | 'sending'

/** Transfers an amount from the player's wallet and checks until it is credited. */
export function useSendDeposit(onSent: () => void) {
  const client = useQueryClient()
  const [step, setStep] = useState<SendStep>('idle')
  const [waiting, setWaiting] = useState<{ amount: Cotton; since: number } | null>(null)
  const { press, resting } = usePressOnce('deposit')
  const slow = useCredited(waiting, () => setWaiting(null))

  const transfer = async (amount: Cotton): Promise<void> => {
    setStep('preparing')
    await ensureSigningWallet()
    const { transaction } = await call(prepareDeposit, { body: { amount } })
    setStep('signing')
    const signed = await signTransaction(fromBase64(transaction)).catch(() => {
      throw new LoginError(messages.deposit.signFailed)
    })
    if (!signed) throw new LoginError(messages.wallet.cannotSign)
    setStep('sending')
    await call(submitDeposit, { body: { transaction: base64(signed) } })
    setWaiting((before) => ({ amount: baseUnits(amount + (before?.amount ?? 0n)), since: Date.now() }))
    for (const queryKey of [HISTORY_KEY, WALLET_BALANCE_KEY]) void client.invalidateQueries({ queryKey })
    onSent()
  }

  const submit = (amount: Cotton): Promise<void> =>
    transfer(amount)
      .catch((error: unknown) => {
        const text =
          error instanceof LoginError ? error.message : getErrorMessage(error, messages.deposit.failed)
        showToast({ kind: 'error', title: messages.deposit.failedTitle, text, durationMs: NOTE_MS })
      })
      .finally(() => setStep('idle'))
  const send = (amount: Cotton): void => press(() => submit(amount))
  return { send, step, resting, waitingFor: waiting?.amount ?? null, slow }
}

/** Checks until everything that was sent is credited, with a toast for each credited deposit. */
function useCredited(waiting: { amount: Cotton; since: number } | null, done: () => void): boolean {
  const client = useQueryClient()
  const left = useRef<Cotton>(ZERO)
  const since = waiting?.since
  useEffect(() => {
    if (since !== undefined) left.current = waiting?.amount ?? ZERO
  }, [since, waiting?.amount])

  const check = useQuery({
    queryKey: ['mine', 'deposit-check'],
    queryFn: async ({ signal }) => {
      const answer = await call(checkDeposit, { signal })
      setBalance(client, answer.newBalance)
      if (answer.newDeposit) {
        const amount = readAmount(answer.amount)
        const text = messages.deposit.credited(formatAmount(amount), readAmount(answer.newBalance))
        showToast({ kind: 'success', title: messages.deposit.creditedTitle, text, durationMs: NOTE_MS })
        void client.invalidateQueries({ queryKey: HISTORY_KEY })
        left.current = baseUnits(left.current - (amount ?? 0n))
        if (left.current <= 0n) done()
      }
      return answer
    },
    enabled: waiting !== null,
    refetchInterval: CHECK_EVERY_MS,
    staleTime: 0,
    gcTime: 0,
  })
  return since !== undefined && check.dataUpdatedAt - since > SLOW_AFTER_MS
}
