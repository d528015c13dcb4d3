import { useMutation, useQueryClient } from '@tanstack/react-query'
import { purchaseWorker } from '#contract/workers.ts'
import { call } from '#web/api/call.ts'
import { complete } from '#web/api/complete.ts'
import { getErrorMessage } from '#web/api/call-error.ts'
import { session } from '#web/api/session.ts'
import { setBalance, useBalance } from '#web/api/use-balance.ts'
import { OWNED_WORKERS_KEY } from '#web/api/use-owned-workers.ts'
import { type PickerFacts, WORKER_TYPES_KEY } from '#web/api/use-worker-types.ts'
import { playEffect } from '#web/audio/sound.ts'
import { showAlert } from './alerts.tsx'
import { openLogin } from './login-store.ts'
import { usePressOnce } from '#web/ui/press-once.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { messages } from '#web/messages/en.ts'

/** Hires a picker after the checks of spec §5. `hiring` until the response, `resting` during the cooldown after it. */
export function useHire(type: PickerFacts): { hire: () => void; hiring: boolean; resting: boolean } {
  const client = useQueryClient()
  const balance = useBalance()
  const { press, running, resting } = usePressOnce(`hire-${type.workerType}`)

  const purchase = useMutation({
    mutationFn: () => {
      const walletAddress = session.get().walletAddress ?? ''
      return call(purchaseWorker, { body: { workerType: type.workerType, walletAddress } })
    },
    onSuccess: (answer) => {
      const { worker } = complete({ worker: { workerId: type.name } }, answer)
      setBalance(client, answer.newBalance)
      playEffect('buy')
      showToast({
        kind: 'success',
        title: messages.pickers.hired,
        text: messages.pickers.purchased(worker.workerId),
      })
    },
    onError: (error) => void showAlert(getErrorMessage(error, messages.pickers.failed)),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: WORKER_TYPES_KEY })
      void client.invalidateQueries({ queryKey: OWNED_WORKERS_KEY })
    },
  })

  const hire = (): unknown => {
    if (session.get().token === null) return openLogin()
    if (balance !== undefined && balance < type.price)
      return void showAlert(messages.pickers.notEnough(type.price, balance))
    if (type.available !== undefined && type.available <= 0)
      return void showAlert(messages.pickers.soldOut(type.name))
    return purchase.mutateAsync()
  }
  return { hire: () => press(hire), hiring: running, resting }
}
