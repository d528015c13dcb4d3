import { useMutation, useQueryClient } from '@tanstack/react-query'
import { purchaseWorker } from '#contract/workers.ts'
import { call } from '#web/api/call.ts'
import { sentenceFor } from '#web/api/refused.ts'
import { session } from '#web/api/session.ts'
import { setBalance, useBalance } from '#web/api/use-balance.ts'
import { OWNED_WORKERS_KEY } from '#web/api/use-owned-workers.ts'
import { type PickerFacts, WORKER_TYPES_KEY } from '#web/api/use-worker-types.ts'
import { playEffect } from '#web/audio/sound.ts'
import { showAlert } from '#web/popups/alerts.tsx'
import { openLogin } from '#web/popups/login-store.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { words } from '#web/words/en.ts'

/** Hires a picker, after the checks of spec §5; `hiring` stays on until the answer, so that no press counts twice. */
export function useHire(): { hire: (type: PickerFacts) => void; hiring: boolean } {
  const client = useQueryClient()
  const balance = useBalance()

  const purchase = useMutation({
    mutationFn: ({ workerType }: PickerFacts) =>
      call(purchaseWorker, { body: { workerType, walletAddress: session.get().walletAddress ?? '' } }),
    onSuccess: ({ worker, newBalance }) => {
      setBalance(client, newBalance)
      playEffect('buy')
      showToast({
        kind: 'success',
        title: words.pickers.hired,
        text: words.pickers.purchased(worker.workerId),
      })
    },
    onError: (error) => void showAlert(sentenceFor(error, words.pickers.failed)),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: WORKER_TYPES_KEY })
      void client.invalidateQueries({ queryKey: OWNED_WORKERS_KEY })
    },
  })

  const hire = (type: PickerFacts): void => {
    if (session.get().token === null) openLogin()
    else if (balance !== undefined && balance < type.price)
      void showAlert(words.pickers.notEnough(type.price, balance))
    else if (type.available !== undefined && type.available <= 0)
      void showAlert(words.pickers.soldOut(type.name))
    else purchase.mutate(type)
  }
  return { hire, hiring: purchase.isPending }
}
