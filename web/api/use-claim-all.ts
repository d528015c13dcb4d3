import { useQueryClient } from '@tanstack/react-query'
import { claimAllWorkers } from '#contract/workers.ts'
import type { Cotton } from '#game/cotton.ts'
import type { WorkerType } from '#game/workers.ts'
import { useIsRunning, usePressOnce } from '#web/ui/press-once.ts'
import { call } from './call.ts'
import { readAmount } from './complete.ts'
import { readBalanceIfInDoubt, setBalance } from './use-balance.ts'
import { OWNED_WORKERS_KEY } from './use-owned-workers.ts'

/** What the page does when the claim has ended: sounds, toasts, animations. */
export type ClaimEffects = {
  onClaimed: (amount: Cotton | null) => void
  onFailed: (error: unknown) => void
}

export type ClaimAll = {
  claim: (effects: ClaimEffects) => void
  /** From the press until the claim has failed or the workers have been read again, in every component that claims the same. */
  claiming: boolean
  /** Ignores presses for a moment after a claim. That of everything does so while parts of it are claimed. */
  resting: boolean
}

/**
 * Claims everything that all pickers have ready, or those of one `type`, in one request. Balance and workers are updated;
 * the rest is up to the caller. Offline the claim fails at once: nothing waits in the browser to be sent later.
 */
export function useClaimAll(type?: WorkerType): ClaimAll {
  const client = useQueryClient()
  const { press, running, resting } = usePressOnce(`claim-${type ?? 'all'}`)
  // It might find nothing to claim any more, and fail.
  const waits = useIsRunning('claim-') && type === undefined && !running
  const claimOnce = async ({ onClaimed, onFailed }: ClaimEffects): Promise<void> => {
    try {
      const reply = await call(claimAllWorkers, { body: { workerType: type } })
      setBalance(client, reply)
      onClaimed(readAmount(reply.claimedAmount))
      await client.invalidateQueries({ queryKey: OWNED_WORKERS_KEY })
    } catch (error) {
      readBalanceIfInDoubt(client, error)
      onFailed(error)
      // Without waiting: the game that did not answer may not answer this either.
      void client.invalidateQueries({ queryKey: OWNED_WORKERS_KEY })
    }
  }
  return { claim: (effects) => press(() => claimOnce(effects)), claiming: running, resting: resting || waits }
}
