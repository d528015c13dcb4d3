import { type Cotton, sumOf } from '#game/cotton.ts'
import { claimable, generated, WORKER_TYPES, type WorkerType } from '#game/workers.ts'
import { accrualOf } from '#web/api/accrual.ts'
import type { OwnedWorker } from '#web/api/use-owned-workers.ts'

export const SORTS = ['oldest', 'newest', 'ready', 'generated'] as const
export type Sort = (typeof SORTS)[number]

export type Group = { type: WorkerType; workers: readonly OwnedWorker[] }

/** The workers of each type that the player owns, in the game's order, each type sorted by its state at `now`. */
export function groupWorkers(workers: readonly OwnedWorker[], sort: Sort, now: Date): readonly Group[] {
  return WORKER_TYPES.map((type) => ({
    type,
    workers: sortWorkers(
      workers.filter(({ workerType }) => workerType === type),
      sort,
      now,
    ),
  })).filter((group) => group.workers.length > 0)
}

/** `workers` is in the order in which they were hired, and ties keep that order. */
function sortWorkers(workers: readonly OwnedWorker[], sort: Sort, now: Date): readonly OwnedWorker[] {
  if (sort === 'oldest') return workers
  if (sort === 'newest') return workers.toReversed()
  const amountOf = sort === 'ready' ? claimable : generated
  const rows = workers.map((worker) => ({ worker, amount: amountOf(accrualOf(worker), now) }))
  return rows.toSorted((a, b) => compare(b.amount, a.amount)).map(({ worker }) => worker)
}

const compare = (a: Cotton, b: Cotton): number => (a < b ? -1 : a > b ? 1 : 0)

/** What a claim of all these workers would pay. */
export const readyOf = (workers: readonly OwnedWorker[], now: Date): Cotton =>
  sumOf(workers.map((worker) => claimable(accrualOf(worker), now)))

/** The first `count` workers, group by group, without the groups after them. */
export function firstOf(groups: readonly Group[], count: number): readonly Group[] {
  let left = count
  return groups.flatMap(({ type, workers }) => {
    const shown = workers.slice(0, Math.max(0, left))
    left -= shown.length
    return shown.length > 0 ? [{ type, workers: shown }] : []
  })
}
