import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { purchaseWorker } from '#contract/workers.ts'
import { call, callerOf } from '#web/api/call.ts'
import { complete } from '#web/api/complete.ts'
import { getErrorMessage } from '#web/api/call-error.ts'
import { session } from '#web/api/session.ts'
import { readBalanceIfInDoubt, setBalance, useKnownBalance } from '#web/api/use-balance.ts'
import { addOwnedWorker, OWNED_WORKERS_KEY } from '#web/api/use-owned-workers.ts'
import { type PickerFacts, WORKER_TYPES_KEY } from '#web/api/use-worker-types.ts'
import { playEffect } from '#web/audio/sound.ts'
import { paths } from '#web/paths.ts'
import { showAlert } from './alerts.tsx'
import { openLogin } from './login-store.ts'
import type { Outcome } from '#web/ui/outcome.ts'
import { usePressOnce } from '#web/ui/press-once.ts'
import { hiringMessages, pickerMessages } from '#web/messages/en-hiring.ts'

type Hire = {
  hire: () => void
  /** Until the response. */
  hiring: boolean
  /** During the cooldown after the response. */
  resting: boolean
}

/**
 * Hires a picker after the checks of spec §5. `onHired` gets the message for the player. The animation leads from the last
 * visible `data-figure` of this type to the farm.
 */
export function useHire(type: PickerFacts, onHired: (outcome: Outcome) => void): Hire {
  const client = useQueryClient()
  const balance = useKnownBalance()
  const { press, running, resting } = usePressOnce(`hire-${type.workerType}`)

  const purchase = useMutation({
    mutationFn: () => {
      // Loaded while the server is asked.
      void loadAnimation()
      const walletAddress = session.get().walletAddress ?? ''
      return call(purchaseWorker, { body: { workerType: type.workerType, walletAddress } })
    },
    onSuccess: (answer) => {
      const { worker } = complete({ worker: { workerId: type.name } }, answer)
      void loadAnimation().then((animation) => animation?.animateHire(type.workerType))
      setBalance(client, answer)
      addOwnedWorker(client, callerOf(answer), { workerId: worker.workerId, workerType: type.workerType })
      playEffect('buy')
      onHired({
        kind: 'success',
        title: hiringMessages.joined(type.name),
        text: pickerMessages.purchased(worker.workerId),
      })
    },
    onError: (error) => {
      readBalanceIfInDoubt(client, error)
      void showAlert({ kind: 'error', text: getErrorMessage(error, pickerMessages.failed) })
    },
    onSettled: () => refreshPickers(client),
  })

  const hire = (): unknown => {
    if (session.get().token === null) return openLogin()
    if (balance !== undefined && balance < type.price)
      return void showAlert({
        kind: 'warning',
        text: pickerMessages.notEnough(type.price, balance),
        link: { to: paths.deposit, text: hiringMessages.deposit },
      })
    if (type.available !== undefined && type.available <= 0)
      return void showAlert({ kind: 'warning', text: pickerMessages.soldOut(type.name) })
    return purchase.mutateAsync()
  }
  return { hire: () => press(hire), hiring: running, resting }
}

/** Without the animation the picker is hired all the same. */
const loadAnimation = () => import('./hire-animation.ts').catch(() => null)

function refreshPickers(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: WORKER_TYPES_KEY })
  void client.invalidateQueries({ queryKey: OWNED_WORKERS_KEY })
}
