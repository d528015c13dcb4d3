import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { cancelWithdrawal } from '#contract/withdrawals.ts'
import { formatExact } from '#game/cotton.ts'
import { call } from '#web/api/call.ts'
import { getErrorMessage } from '#web/api/call-error.ts'
import { HISTORY_KEY } from '#web/api/history-key.ts'
import { refetchChanged } from '#web/api/refetch-changed.ts'
import { securityMessages } from '#web/messages/en-security.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { TransientButton } from '#web/ui/transient-button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { WITHDRAWABLE_KEY, type WithdrawalFacts, WITHDRAWALS_KEY } from './use-withdrawals.ts'

const READ_MS = 6_000

/** Cancels a withdrawal that is not signed yet, after a question. */
export function CancelWithdrawal({ withdrawal: { id, amount } }: { withdrawal: WithdrawalFacts }) {
  const [asking, setAsking] = useState(false)
  const client = useQueryClient()
  const cancel = async (): Promise<void> => {
    try {
      await call(cancelWithdrawal, { body: { withdrawalId: id } })
      showToast({ kind: 'success', text: securityMessages.cancelled, durationMs: READ_MS })
    } catch (error) {
      showToast({
        kind: 'error',
        text: getErrorMessage(error, securityMessages.cancelFailed),
        durationMs: READ_MS,
      })
    }
    for (const queryKey of [WITHDRAWALS_KEY, HISTORY_KEY]) refetchChanged(client, { queryKey })
    void client.invalidateQueries({ queryKey: WITHDRAWABLE_KEY })
  }
  return (
    <>
      <TransientButton size="sm" focusAfter="withdrawals-title" onClick={() => setAsking(true)}>
        {securityMessages.cancel}
      </TransientButton>
      {asking ? (
        <ConfirmDialog
          title={securityMessages.cancelConfirm}
          text={securityMessages.cancelConfirmText(formatExact(amount))}
          action={securityMessages.cancel}
          back={securityMessages.goBack}
          confirm={cancel}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
