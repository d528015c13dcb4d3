import type { readWorkerSupply, readWorkerTypes as readTypes } from '#contract/workers.ts'
import type { ReplyOf } from '#contract/route.ts'
import type { Db } from '#server/platform/db/db.ts'
import { Kept } from '#server/platform/http/kept.ts'
import { encode } from '#server/realtime/encode.ts'
import { readWorkerTypes } from './read-workers.ts'

/** The supply of workers as this process knows it, in the very bytes that travel. */
export type SupplyView = {
  /** Reads it anew; tells whether it has changed. Not for two calls at once. */
  refresh(): Promise<boolean>
  types(): Kept<ReplyOf<typeof readTypes>>
  supply(): Kept<ReplyOf<typeof readWorkerSupply>>
  /** The frame `workerUpdate`. */
  frame(): Buffer
}

/** Reads the supply and keeps it in memory; `refresh` brings it up to date. */
export async function openSupplyView(db: Db): Promise<SupplyView> {
  let kept = viewOf(await readWorkerTypes(db))
  return {
    async refresh() {
      const read = viewOf(await readWorkerTypes(db))
      if (read.supply.etag === kept.supply.etag) return false
      kept = read
      return true
    },
    types: () => kept.types,
    supply: () => kept.supply,
    frame: () => kept.frame,
  }
}

function viewOf(workerTypes: Awaited<ReturnType<typeof readWorkerTypes>>) {
  return {
    types: new Kept({ success: true as const, workerTypes }),
    supply: new Kept(workerTypes),
    frame: encode({ type: 'workerUpdate', data: workerTypes }),
  }
}
