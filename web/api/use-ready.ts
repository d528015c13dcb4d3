import { type Cotton, sumOf } from '#game/cotton.ts'
import { claimable } from '#game/workers.ts'
import { accrualOf } from './accrual.ts'
import { type OwnedWorker, useOwnedWorkers } from './use-owned-workers.ts'
import { useAtServerNow } from './use-server-now.ts'

let last: { workers: readonly OwnedWorker[]; now: Date; ready: Cotton } | undefined

/** What workers have ready to claim at `now`, in whole $COTTON. Computed once for all who ask within a tick. */
export function readyAt(workers: readonly OwnedWorker[], now: Date): Cotton {
  if (last?.workers !== workers || last.now !== now) {
    last = { workers, now, ready: sumOf(workers.map((worker) => claimable(accrualOf(worker), now))) }
  }
  return last.ready
}

/** What all pickers of the player have ready, updated every second; undefined while unknown or logged out. */
export function useReady(): Cotton | undefined {
  const { data: workers } = useOwnedWorkers({ refresh: false })
  return useAtServerNow((now) => workers && readyAt(workers, now), isCounting(workers))
}

const isCounting = (workers: readonly OwnedWorker[] | undefined): boolean => (workers?.length ?? 0) > 0
