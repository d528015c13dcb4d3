import type { QueryClient } from '@tanstack/react-query'
import type { ServerMessage } from '#contract/realtime.ts'
import { WORKER_TYPES } from '#game/workers.ts'
import { complete, UNKNOWN } from '#web/api/complete.ts'
import { WORKER_TYPES_KEY, type WorkerTypesReply } from '#web/api/use-worker-types.ts'

type Update = Extract<ServerMessage, { type: 'workerUpdate' }>['data']

/** Applies pushed supplies to the query of the pages. The sold count never falls, so a lower one is an older frame. */
export function updateWorkerTypes(client: QueryClient, update: Update): void {
  client.setQueryData<WorkerTypesReply>(WORKER_TYPES_KEY, (known) => {
    if (!known) return known
    const workerTypes = { ...known.workerTypes }
    for (const type of WORKER_TYPES) {
      const known = workerTypes[type]
      const pushed = complete({ ...known, sold: UNKNOWN }, update[type])
      if (!(pushed.sold < known.sold) && !Number.isNaN(pushed.sold)) workerTypes[type] = pushed
    }
    return { ...known, workerTypes }
  })
}
