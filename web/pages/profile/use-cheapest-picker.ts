import type { Cotton } from '#game/cotton.ts'
import { WORKER_TYPES, WORKERS, type WorkerType } from '#game/workers.ts'
import { useWorkerTypes } from '#web/api/use-worker-types.ts'

type Picker = { workerType: WorkerType; name: string; price: Cotton }

const BY_RULE: readonly Picker[] = WORKER_TYPES.map((workerType) => ({ workerType, ...WORKERS[workerType] }))

const cheapest = (pickers: readonly Picker[]): Picker | undefined =>
  pickers.toSorted((a, b) => (a.price < b.price ? -1 : 1))[0]

/** The cheapest picker that can be hired; by the rules of the game while the supplies are unknown. */
export function useCheapestPicker(): Picker {
  const { types, isSample } = useWorkerTypes()
  const hireable = isSample ? undefined : types?.filter(({ available }) => available > 0)
  return cheapest(hireable ?? []) ?? cheapest(BY_RULE) ?? { workerType: 'kid', ...WORKERS.kid }
}
