import { useEffect, useState } from 'react'
import type { Cotton } from '#game/cotton.ts'
import { getErrorMessage } from '#web/api/call-error.ts'
import { session } from '#web/api/session.ts'
import { type ClaimEffects, useClaimAll } from '#web/api/use-claim-all.ts'
import { playEffect } from '#web/audio/sound.ts'
import { openLogin } from '#web/popups/login-store.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { messages } from '#web/messages/en.ts'
import type { Plot } from './plots.ts'

/** How long the harvest is shown: a little longer than its animation. */
const HARVEST_MS = 1_600

export type Harvest = { id: number; amount: Cotton | null }

/** Claims everything on a field in one request. `harvest` is set while the animation runs. */
export function useClaim({ type, claimable }: Plot) {
  const { claim, claiming, resting } = useClaimAll(type)
  const [harvest, setHarvest] = useState<Harvest | null>(null)

  useEffect(() => {
    if (!harvest) return
    const timer = setTimeout(() => setHarvest(null), HARVEST_MS)
    return () => clearTimeout(timer)
  }, [harvest])

  const effects: ClaimEffects = {
    onClaimed: (amount) => {
      setHarvest((last) => ({ id: (last?.id ?? 0) + 1, amount }))
      playEffect('claim')
      const title = messages.farm.claimed(amount)
      showToast({ kind: 'success', title, text: messages.farm.claimedAll(type) })
    },
    onFailed: (error) => {
      const text = messages.farm.claimAllFailed(getErrorMessage(error, messages.farm.claimFailed))
      showToast({ kind: 'error', title: messages.farm.claimFailedTitle, text })
    },
  }

  const press = (): void => {
    if (session.get().token !== null) {
      if (claimable > 0n) claim(effects)
      return
    }
    showToast({ kind: 'warning', text: messages.farm.connectFirst })
    openLogin()
  }
  return { claim: press, claiming, resting, harvest }
}
