import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ContinentCode } from '#game/continents.ts'
import type { Cotton } from '#game/cotton.ts'
import { isBehind, applyParcelList, type UpdatePath } from '#web/realtime/land-changes.ts'
import {
  changeFeed,
  recordUpdate,
  recordReadFailure,
  updateWorld,
  useContinentState,
  worldState,
} from '#web/realtime/world-state.ts'
import { usePolling } from '#web/realtime/use-polling.ts'
import { useStore } from '#web/store.ts'
import { UNKNOWN } from '#web/api/complete.ts'
import { createSampleLand } from '#web/api/create-sample-land.ts'
import { readStats } from './use-land-stats.ts'
import { type LandParcel, readLandParcels } from '#web/api/use-owned-land.ts'

export const landKey = (code: ContinentCode) => ['land', code]

/** The delay before a list that is behind is read. Mostly a frame brings it sooner. */
const CATCH_UP_AFTER_MS = 250

export type Land = {
  /** Undefined while loading. */
  parcels: readonly LandParcel[] | undefined
  owned: number
  total: number
  /** Undefined if the server did not send it. */
  price: Cotton | undefined
  path: UpdatePath
  /** The server did not respond: `parcels` are samples, and none can be bought. */
  isSample: boolean
  retry: () => void
}

/** The newest state of a continent: pushed while the socket is open, polled every second while it is not. */
export function useLand(code: ContinentCode): Land {
  const client = useQueryClient()
  const feedState = useStore(changeFeed.state)
  const continent = useContinentState(code)
  const query = useQuery({
    queryKey: landKey(code),
    queryFn: ({ signal }) =>
      readLand(code, client.getQueryData<readonly LandParcel[]>(landKey(code)), signal),
    retry: false,
    // Samples must never take the place of land that was once read.
    gcTime: Number.POSITIVE_INFINITY,
  })
  usePolling(query.refetch, query.isError)

  useEffect(() => changeFeed.follow(code), [code])
  const behind = feedState === 'open' && isBehind(continent)
  useEffect(() => {
    if (!behind) return
    const timer = setTimeout(
      () => void client.invalidateQueries({ queryKey: landKey(code) }),
      CATCH_UP_AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [behind, client, code])

  const retry = (): void => void query.refetch()
  if (query.data) {
    const parcels = query.data.map((parcel) => {
      const { owned, ownerWallet } = continent.ownerships.get(parcel.parcelId) ?? parcel
      return { ...parcel, owned, ownerWallet }
    })
    const count = continent.count ?? { owned: 0, total: parcels.length, path: 'api' as const }
    return { parcels, ...pickCount(count), price: continent.price?.amount, isSample: false, retry }
  }
  // Samples stay during retries, so that they do not flicker.
  if (query.errorUpdateCount > 0) {
    const parcels = createSampleLand(code)
    const owned = parcels.filter((parcel) => parcel.owned).length
    // The world map may have read the count and the price.
    const count = continent.count ?? { owned, total: parcels.length, path: 'api' as const }
    return { parcels, ...pickCount(count), price: continent.price?.amount, isSample: true, retry }
  }
  return { parcels: undefined, owned: 0, total: 0, path: 'api', price: undefined, isSample: false, retry }
}

const pickCount = ({ owned, total, path }: { owned: number; total: number; path: UpdatePath }) => ({
  owned,
  total,
  path,
})

/** After this time every api knows of a change that one of them has shown. They learn of it within 1.5 s. */
const KNOWN_TO_ALL_AFTER_MS = 3_000

const firstSeen = new Map<ContinentCode, { version: number; atMs: number }>()

/** Whether every api knows this version, which one of them has just shown. */
function isKnownToAll(code: ContinentCode, version: number): boolean {
  const seen = firstSeen.get(code)
  if (seen?.version === version) return performance.now() - seen.atMs >= KNOWN_TO_ALL_AFTER_MS
  firstSeen.set(code, { version, atMs: performance.now() })
  return false
}

/**
 * Reads the stats, and the list of the continent only if the version of the stats is newer than the known list. While no frame
 * corrects a list of an api that was behind, it is read once more.
 */
async function readLand(
  code: ContinentCode,
  known: readonly LandParcel[] | undefined,
  signal: AbortSignal,
): Promise<readonly LandParcel[]> {
  try {
    const stats = await readStats(signal).catch((error: unknown) => {
      // A continent can be shown without its price, but not without its list.
      if (known || signal.aborted) throw error
    })
    const version = stats ? (stats[code]?.version ?? UNKNOWN) : 0
    const { listVersion, isListSure } = worldState.get()[code]
    const isSure = isKnownToAll(code, version)
    const mayBeBehind = version === listVersion && !isListSure && isSure
    if (known && version <= listVersion && !mayBeBehind) return known
    const parcels = await readLandParcels({ regionId: code }, signal)
    updateWorld((world) => applyParcelList(world, code, { parcels, version, isSure }))
    recordUpdate()
    return parcels
  } catch (error) {
    if (!signal.aborted) recordReadFailure()
    throw error
  }
}
