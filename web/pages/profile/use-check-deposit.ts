import { useMutation, useQueryClient } from '@tanstack/react-query'
import { checkDeposit } from '#contract/deposits.ts'
import { call, callerOf } from '#web/api/call.ts'
import { readAmount } from '#web/api/complete.ts'
import { getErrorMessage } from '#web/api/call-error.ts'
import { HISTORY_KEY } from '#web/api/history-key.ts'
import { refetchChanged } from '#web/api/refetch-changed.ts'
import { setBalance } from '#web/api/use-balance.ts'
import { recordCredited } from '#web/deposits/deposit-state.ts'
import { formatAmount } from '#web/messages/amount.ts'
import { usePressOnce } from '#web/ui/press-once.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { depositMessages } from '#web/messages/en-deposit.ts'
import { UNCREDITED_KEY } from './use-uncredited.ts'

/** How long the toast of a deposit is shown (S-106). */
const DEPOSIT_NOTE_MS = 5_000

/** Checks for deposits now and shows the result as a toast. */
export function useCheckDeposit() {
  const client = useQueryClient()
  const { press, running, resting } = usePressOnce('check-deposits')
  const mutation = useMutation({
    mutationFn: () => call(checkDeposit, {}),
    onSuccess: (reply) => {
      const pending = readAmount(reply.pending)
      setBalance(client, reply)
      refetchChanged(client, { queryKey: HISTORY_KEY })
      void client.invalidateQueries({ queryKey: UNCREDITED_KEY })
      if (reply.newDeposit) {
        const credited = readAmount(reply.amount)
        if (credited !== null) recordCredited(callerOf(reply), credited)
        const text = depositMessages.credited(credited, readAmount(reply.newBalance))
        showToast({
          kind: 'success',
          title: depositMessages.creditedTitle,
          text,
          durationMs: DEPOSIT_NOTE_MS,
        })
      } else if (pending !== null && pending > 0n) {
        const text = depositMessages.pending(formatAmount(pending))
        showToast({ kind: 'info', title: depositMessages.pendingTitle, text, durationMs: DEPOSIT_NOTE_MS })
      } else {
        showToast({
          kind: 'info',
          title: depositMessages.noneTitle,
          text: depositMessages.none,
          durationMs: DEPOSIT_NOTE_MS,
        })
      }
    },
    onError: (error) =>
      showToast({
        kind: 'error',
        title: depositMessages.failedTitle,
        text: getErrorMessage(error, depositMessages.checkFailed),
        durationMs: DEPOSIT_NOTE_MS,
      }),
  })
  return { check: () => press(() => mutation.mutateAsync()), checking: running, resting }
}
