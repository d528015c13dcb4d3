import { useEffect, useState } from 'react'
import type { Cotton } from '#game/cotton.ts'
import type { WorkerType } from '#game/workers.ts'
import { getErrorMessage } from '#web/api/call-error.ts'
import { session } from '#web/api/session.ts'
import { type ClaimEffects, useClaimAll } from '#web/api/use-claim-all.ts'
import { playEffect } from '#web/audio/sound.ts'
import { openLogin } from '#web/popups/login-store.ts'
import { showToast } from '#web/ui/toast-store.ts'
import { farmMessages } from '#web/messages/en-farm.ts'
import type { Plot } from './plots.ts'

/** How long a harvest is shown: a little longer than its animation. */
const HARVEST_MS = 1_600

/** A harvest while it is shown. The fields of a claim of everything do not know their part of the amount. */
export type Harvest = { id: number; amount: Cotton | null | undefined }

/** Claims everything on a field in one request. `harvest` is set while the animation runs. */
export function useClaim({ type, claimable }: Plot) {
  const { claim, claiming, resting } = useClaimAll(type)
  const { harvest, show } = useHarvest()
  const effects = claimEffects(farmMessages.claimedAll(type), show)
  const press = (): void => {
    if (isLoggedIn() && claimable > 0n) claim(effects)
  }
  return { claim: press, claiming, resting, harvest }
}

export type FarmClaim = {
  claim: () => void
  claiming: boolean
  resting: boolean
  harvest: Harvest | null
  /** The fields that had something ready when everything was claimed. */
  types: readonly WorkerType[]
}

/** Claims everything on all fields in one request. */
export function useClaimEverything(plots: readonly Plot[]): FarmClaim {
  const { claim, claiming, resting } = useClaimAll()
  const { harvest, show } = useHarvest()
  const [types, setTypes] = useState<readonly WorkerType[]>([])
  const effects = claimEffects(farmMessages.claimedEverything, show)
  const press = (): void => {
    const ready = plots.filter(({ claimable }) => claimable > 0n).map(({ type }) => type)
    if (!isLoggedIn() || ready.length === 0) return
    setTypes(ready)
    claim(effects)
  }
  return { claim: press, claiming, resting, harvest, types }
}

/** Whether the player is logged in. Otherwise asks the visitor to log in. */
function isLoggedIn(): boolean {
  if (session.get().token !== null) return true
  showToast({ kind: 'warning', text: farmMessages.connectFirst })
  openLogin()
  return false
}

function claimEffects(text: string, show: (amount: Cotton | null) => void): ClaimEffects {
  return {
    onClaimed: (amount) => {
      show(amount)
      playEffect('claim')
      showToast({ kind: 'success', title: farmMessages.claimed(amount), text })
    },
    onFailed: (error) => {
      const text = farmMessages.claimAllFailed(getErrorMessage(error, farmMessages.claimFailed))
      showToast({ kind: 'error', title: farmMessages.claimFailedTitle, text })
    },
  }
}

function useHarvest() {
  const [harvest, setHarvest] = useState<Harvest | null>(null)
  useEffect(() => {
    if (!harvest) return
    const timer = setTimeout(() => setHarvest(null), HARVEST_MS)
    return () => clearTimeout(timer)
  }, [harvest])
  const show = (amount: Cotton | null): void => setHarvest((last) => ({ id: (last?.id ?? 0) + 1, amount }))
  return { harvest, show }
}
