import { useMemo } from 'react'
import { type Cotton, ZERO } from '#game/cotton.ts'
import { useBalance } from '#web/api/use-balance.ts'
import { type OwnedWorker, useOwnedWorkers } from '#web/api/use-owned-workers.ts'
import { readyAt } from '#web/api/use-ready.ts'
import { useServerNow } from '#web/api/use-server-now.ts'

const NONE: readonly OwnedWorker[] = []

/** The player's credit and claimable $COTTON at this second, and how fast it grows. */
export function useIncome(): { balance: Cotton; ready: Cotton; ratePerHour: number } {
  const { data: workers = NONE } = useOwnedWorkers({ refresh: false })
  const ratePerHour = useMemo(
    () => workers.reduce((sum, worker) => sum + worker.generationRate, 0),
    [workers],
  )
  const now = useServerNow(workers.length > 0)
  return {
    balance: useBalance() ?? ZERO,
    ready: readyAt(workers, now),
    ratePerHour,
  }
}
