import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readContinentStats } from '#contract/parcels.ts'
import { CONTINENTS } from '#game/continents.ts'
import { applyStats, type WorldState } from '#web/realtime/land-changes.ts'
import {
  changeFeed,
  recordUpdate,
  recordReadFailure,
  updateWorld,
  worldState,
} from '#web/realtime/world-state.ts'
import { usePolling } from '#web/realtime/use-polling.ts'
import { useStore } from '#web/store.ts'
import { call, type Reply } from '#web/api/call.ts'

/** Reads the counts and prices of all continents and applies them to the world state. */
export async function readStats(signal: AbortSignal): Promise<Reply<typeof readContinentStats>> {
  const stats = await call(readContinentStats, { signal })
  updateWorld((world) => applyStats(world, stats))
  recordUpdate()
  return stats
}

/** The newest counts and prices of all continents. `failed` while none could be read. */
export function useLandStats(): { world: WorldState; failed: boolean; retry: () => void } {
  const world = useStore(worldState)
  const query = useQuery({
    queryKey: ['land-stats'],
    queryFn: async ({ signal }) => {
      try {
        return await readStats(signal)
      } catch (error) {
        if (!signal.aborted) recordReadFailure()
        throw error
      }
    },
    retry: false,
  })
  usePolling(query.refetch, query.isError)
  useEffect(() => {
    const unfollows = CONTINENTS.map(changeFeed.follow)
    return () => unfollows.forEach((stop) => stop())
  }, [])
  const isKnown = CONTINENTS.every((code) => world[code].count !== null)
  return { world, failed: query.errorUpdateCount > 0 && !isKnown, retry: () => void query.refetch() }
}
