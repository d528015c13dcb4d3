import { type Cotton, cotton, sumOf } from '#game/cotton.ts'
import { claimable, WORKER_TYPES, WORKERS, type WorkerType } from '#game/workers.ts'
import { accrualOf } from '#web/api/accrual.ts'
import type { OwnedWorker } from '#web/api/use-owned-workers.ts'

/** One field of the farm: all workers of a type. */
export type Plot = {
  type: WorkerType
  name: string
  count: number
  ratePerHour: number
  claimable: Cotton
}

/** The fields at `now`, in the game's order. */
export function plotsAt(workers: readonly OwnedWorker[], now: Date): readonly Plot[] {
  return WORKER_TYPES.map((type) => {
    const mine = workers.filter((worker) => worker.workerType === type)
    return {
      type,
      name: WORKERS[type].name,
      count: mine.length,
      ratePerHour: mine.reduce((sum, worker) => sum + worker.generationRate, 0),
      claimable: sumOf(mine.map((worker) => claimable(accrualOf(worker), now))),
    }
  })
}

/** A field shows some cotton from 1/60 of an hour's rate, and is ripe from 1/3. */
const SOME_SHARE = 60n
const RIPE_SHARE = 3n

/** The image of the field: 0 sprouts, 1 some cotton, 2 ripe. */
export function ripeness({ claimable: amount, ratePerHour }: Plot): 0 | 1 | 2 {
  const hour = cotton(ratePerHour)
  if (amount <= 0n || amount * SOME_SHARE < hour) return 0
  return amount * RIPE_SHARE >= hour ? 2 : 1
}
