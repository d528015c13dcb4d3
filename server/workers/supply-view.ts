import type { readWorkerSupply, readWorkerTypes as readTypes } from '#contract/workers.ts'
import type { ReplyOf } from '#contract/route.ts'
import { placeOf, WORKER_TYPES, type WorkerType } from '#game/workers.ts'
import type { Db } from '#server/platform/db/db.ts'
import { CachedResponse } from '#server/platform/http/cached-response.ts'
import { memoize } from '#server/platform/memoize.ts'
import { encodeFrame } from '#server/realtime/encode-frame.ts'
import { readWorkerSupply as readSupply, type Supply, workerTypesOnWire } from './read-workers.ts'

/** The supply of workers as this process knows it, with encoded responses and frames. */
export type SupplyView = {
  /** Reads the supply and returns the channels that changed. Calls must not overlap. */
  refresh(): Promise<string[]>
  /** Applies a hire from its reply and returns the channels that changed. Null if the supply has to be read instead. */
  applyHire(hired: { workerId: string; workerType: WorkerType }): string[] | null
  types(): CachedResponse<ReplyOf<typeof readTypes>>
  supply(): CachedResponse<ReplyOf<typeof readWorkerSupply>>
  /** The frame `workerUpdate`. */
  frame(): Buffer
}

const CHANNEL = 'supply'

/** Reads the supply into memory. `refresh` reads it again. */
export async function openSupplyView(db: Db): Promise<SupplyView> {
  let view = createView(await readSupply(db))
  return {
    async refresh() {
      const before = view
      const read = await readSupply(db)
      // Hires applied during the read may be missing from it. Sold workers are never returned, so the larger count is newer.
      const supply = view === before ? read : mergeNewer(read, view.state)
      if (JSON.stringify(supply) === JSON.stringify(view.state)) return []
      view = createView(supply)
      return [CHANNEL]
    },
    applyHire({ workerId, workerType }) {
      const place = placeOf(workerType, workerId)
      const { sold, maxSupply } = view.state[workerType]
      if (place <= sold) return []
      if (place > maxSupply) return null
      view = createView({ ...view.state, [workerType]: { maxSupply, sold: place } })
      return [CHANNEL]
    },
    types: () => view.types(),
    supply: () => view.supply(),
    frame: () => view.frame(),
  }
}

const mergeNewer = (read: Supply, known: Supply): Supply =>
  Object.fromEntries(
    WORKER_TYPES.map((type) => {
      const { maxSupply, sold } = read[type]
      return [type, { maxSupply, sold: Math.max(sold, known[type].sold) }]
    }),
  ) as Supply

// Each encoding is computed on first use, because many hires may happen between two reads.
function createView(supply: Supply) {
  const workerTypes = memoize(() => workerTypesOnWire(supply))
  return {
    state: supply,
    types: memoize(() => new CachedResponse({ success: true as const, workerTypes: workerTypes() })),
    supply: memoize(() => new CachedResponse(workerTypes())),
    frame: memoize(() => encodeFrame({ type: 'workerUpdate', data: workerTypes() })),
  }
}
