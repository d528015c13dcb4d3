import { useQuery } from '@tanstack/react-query'
import type { Cotton } from '#game/cotton.ts'
import { WORKER_TYPES, WORKERS, type WorkerType } from '#game/workers.ts'
import { readWorkerTypes } from '#contract/workers.ts'
import type { ReplyOf } from '#contract/route.ts'
import type { Amounts } from './amounts.ts'
import { call } from './call.ts'
import { complete, UNKNOWN } from './complete.ts'

export const WORKER_TYPES_KEY = ['worker-types']

/** How often supplies are read while they are shown. */
const REFRESH_MS = 15_000

/** The reply with a price for each type. The rules provide one if the server sends none. */
export type WorkerTypesReply = Amounts<ReplyOf<typeof readWorkerTypes>, Cotton>

export type TypeFacts = WorkerTypesReply['workerTypes'][WorkerType]

type Supply = 'available' | 'sold' | 'progress'

/** A type whose supply may not have been read yet. */
export type PickerFacts = Omit<TypeFacts, Supply> & Partial<Pick<TypeFacts, Supply>>

/** The share sold for a page that could not reach the server. Samples are labelled wherever they are shown. */
const SAMPLE_SOLD_SHARE = 0.37

/** All types by the rules of the game. */
export const STATIC_TYPES: readonly PickerFacts[] = WORKER_TYPES.map((workerType) => {
  const { name, price, ratePerHour, maxSupply } = WORKERS[workerType]
  return { workerType, name, maxSupply, price, generationRate: ratePerHour, image: '' }
})

/** Fields that a reply lacks come from the rules; a supply is then unknown. */
const EXAMPLE: WorkerTypesReply = {
  success: true,
  workerTypes: Object.fromEntries(
    STATIC_TYPES.map((type) => [
      type.workerType,
      { ...type, sold: UNKNOWN, available: UNKNOWN, progress: UNKNOWN },
    ]),
  ) as Record<WorkerType, TypeFacts>,
}

const SAMPLE: readonly TypeFacts[] = STATIC_TYPES.map((type) => {
  const sold = Math.floor(type.maxSupply * SAMPLE_SOLD_SHARE)
  return { ...type, sold, available: type.maxSupply - sold, progress: (sold / type.maxSupply) * 100 }
})

export type WorkerTypes = {
  /** In the game's order; undefined while loading. */
  types: readonly TypeFacts[] | undefined
  /** The server did not respond: `types` is sample data, and nothing can be bought. */
  isSample: boolean
  retry: () => void
}

export function useWorkerTypes(): WorkerTypes {
  const query = useQuery({
    queryKey: WORKER_TYPES_KEY,
    queryFn: async ({ signal }) => complete(EXAMPLE, await call(readWorkerTypes, { signal })),
    refetchInterval: REFRESH_MS,
    // Samples must never take the place of supplies that were once read.
    gcTime: Number.POSITIVE_INFINITY,
  })
  const retry = (): void => void query.refetch()
  if (query.data) {
    const { workerTypes } = query.data
    return { types: WORKER_TYPES.map((type) => workerTypes[type]), isSample: false, retry }
  }
  // Sample data stays during retries after the first failure, so that it does not flicker.
  const isSample = query.errorUpdateCount > 0
  return { types: isSample ? SAMPLE : undefined, isSample, retry }
}
