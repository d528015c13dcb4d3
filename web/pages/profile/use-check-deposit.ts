import { useMutation, useQueryClient } from '@tanstack/react-query'
import { checkDeposit } from '#contract/deposits.ts'
import { call } from '#web/api/call.ts'
import { readAmount } from '#web/api/complete.ts'
import { getErrorMessage } from '#web/api/call-error.ts'
import { setBalance } from '#web/api/use-balance.ts'
import { formatAmount } from '#web/messages/amount.ts'
import { usePressOnce } from '#web/ui/press-once.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { messages } from '#web/messages/en.ts'
import { HISTORY_KEY } from './use-history.ts'
import { UNCREDITED_KEY } from './use-uncredited.ts'

/** How long the toast of a deposit is shown (S-106). */
const DEPOSIT_NOTE_MS = 5_000

/** Checks for deposits now and shows the result as a toast. */
export function useCheckDeposit() {
  const client = useQueryClient()
  const { press, running, resting } = usePressOnce('check-deposits')
  const mutation = useMutation({
    mutationFn: () => call(checkDeposit, {}),
    onSuccess: ({ newDeposit, amount, newBalance, ...reply }) => {
      const pending = readAmount(reply.pending)
      setBalance(client, newBalance)
      void client.invalidateQueries({ queryKey: HISTORY_KEY })
      void client.invalidateQueries({ queryKey: UNCREDITED_KEY })
      if (newDeposit) {
        const text = messages.deposit.credited(formatAmount(readAmount(amount)), readAmount(newBalance))
        showToast({
          kind: 'success',
          title: messages.deposit.creditedTitle,
          text,
          durationMs: DEPOSIT_NOTE_MS,
        })
      } else if (pending !== null && pending > 0n) {
        const text = messages.deposit.pending(formatAmount(pending))
        showToast({ kind: 'info', title: messages.deposit.pendingTitle, text, durationMs: DEPOSIT_NOTE_MS })
      } else {
        showToast({
          kind: 'info',
          title: messages.deposit.noneTitle,
          text: messages.deposit.none,
          durationMs: DEPOSIT_NOTE_MS,
        })
      }
    },
    onError: (error) =>
      showToast({
        kind: 'error',
        title: messages.deposit.failedTitle,
        text: getErrorMessage(error, messages.deposit.checkFailed),
        durationMs: DEPOSIT_NOTE_MS,
      }),
  })
  return { check: () => press(() => mutation.mutateAsync()), checking: running, resting }
}
