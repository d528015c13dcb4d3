import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { claimAllWorkers } from '#contract/workers.ts'
import type { Cotton } from '#game/cotton.ts'
import { call } from '#web/api/call.ts'
import { getErrorMessage } from '#web/api/call-error.ts'
import { readAmount } from '#web/api/complete.ts'
import { session } from '#web/api/session.ts'
import { setBalance } from '#web/api/use-balance.ts'
import { OWNED_WORKERS_KEY } from '#web/api/use-owned-workers.ts'
import { playEffect } from '#web/audio/sound.ts'
import { openLogin } from '#web/popups/login-store.ts'
import { usePressOnce } from '#web/ui/press-once.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { messages } from '#web/messages/en.ts'
import type { Plot } from './plots.ts'

/** How long the harvest is shown: a little longer than its animation. */
const HARVEST_MS = 1_600

export type Harvest = { id: number; amount: Cotton | null }

/** Claims everything on a field in one request. `harvest` is set while the animation runs. */
export function useClaim({ type, claimable }: Plot) {
  const client = useQueryClient()
  const { press, running, resting } = usePressOnce(`claim-${type}`)
  const [harvest, setHarvest] = useState<Harvest | null>(null)

  useEffect(() => {
    if (!harvest) return
    const timer = setTimeout(() => setHarvest(null), HARVEST_MS)
    return () => clearTimeout(timer)
  }, [harvest])

  const mutation = useMutation({
    mutationFn: () => call(claimAllWorkers, { body: { workerType: type } }),
    onSuccess: ({ claimedAmount, newBalance }) => {
      const amount = readAmount(claimedAmount)
      setBalance(client, newBalance)
      setHarvest((last) => ({ id: (last?.id ?? 0) + 1, amount }))
      playEffect('claim')
      const title = messages.farm.claimed(amount)
      showToast({ kind: 'success', title, text: messages.farm.claimedAll(type) })
    },
    onError: (error) => {
      const text = messages.farm.claimAllFailed(getErrorMessage(error, messages.farm.claimFailed))
      showToast({ kind: 'error', title: messages.farm.claimFailedTitle, text })
    },
    // The field stays in its claiming state until the workers have been read again.
    onSettled: () => client.invalidateQueries({ queryKey: OWNED_WORKERS_KEY }),
  })

  const claim = (): unknown => {
    if (session.get().token !== null) return claimable > 0n ? mutation.mutateAsync() : undefined
    showToast({ kind: 'warning', text: messages.farm.connectFirst })
    return openLogin()
  }
  return { claim: () => press(claim), claiming: running, resting, harvest }
}
