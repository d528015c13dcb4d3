import { type Cotton, sumOf, ZERO } from '#game/cotton.ts'
import { claimable } from '#game/workers.ts'
import { accrualOf } from '#web/api/accrual.ts'
import { useBalance } from '#web/api/use-balance.ts'
import { useOwnedWorkers } from '#web/api/use-owned-workers.ts'
import { useServerNow } from '#web/api/use-server-now.ts'

/** The player's credit and claimable $COTTON at this second, and how fast it grows. */
export function useIncome(): { balance: Cotton; ready: Cotton; ratePerHour: number } {
  const { data: workers = [] } = useOwnedWorkers({ refresh: false })
  const now = useServerNow(workers.length > 0)
  return {
    balance: useBalance() ?? ZERO,
    ready: sumOf(workers.map((worker) => claimable(accrualOf(worker), now))),
    ratePerHour: workers.reduce((sum, worker) => sum + worker.generationRate, 0),
  }
}
