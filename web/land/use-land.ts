import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ContinentCode } from '#game/continents.ts'
import { isBehind, learnList, type NewsPath } from '#web/realtime/land-news.ts'
import {
  newsLine,
  noteHeard,
  noteReadFailed,
  tellNews,
  useContinentNews,
  worldNews,
} from '#web/realtime/news.ts'
import { usePolling } from '#web/realtime/use-polling.ts'
import { useStore } from '#web/store.ts'
import { UNKNOWN } from '#web/api/complete.ts'
import { sampleLand } from '#web/api/use-land-samples.ts'
import { readStats } from './use-land-stats.ts'
import { type LandParcel, readLandParcels } from '#web/api/use-owned-land.ts'

export const landKey = (code: ContinentCode) => ['land', code]

/** A list that is behind is read after this long, unless the news bring it by themselves, as they mostly do. */
const CATCH_UP_AFTER_MS = 250

export type Land = {
  /** Undefined while loading. */
  parcels: readonly LandParcel[] | undefined
  owned: number
  total: number
  /** Undefined where the server did not say it. */
  price: number | undefined
  path: NewsPath
  /** The server did not answer: `parcels` are samples, and none may be bought. */
  isSample: boolean
  retry: () => void
}

/** The land of a continent as of the newest news: pushed while the socket is open, read every second while it is not. */
export function useLand(code: ContinentCode): Land {
  const client = useQueryClient()
  const line = useStore(newsLine.state)
  const news = useContinentNews(code)
  const query = useQuery({
    queryKey: landKey(code),
    queryFn: ({ signal }) =>
      readLand(code, client.getQueryData<readonly LandParcel[]>(landKey(code)), signal),
    retry: false,
  })
  usePolling(query.refetch, query.isError)

  useEffect(() => newsLine.follow(code), [code])
  const behind = line === 'open' && isBehind(news)
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
      const { owned, ownerWallet } = news.holdings.get(parcel.parcelId) ?? parcel
      return { ...parcel, owned, ownerWallet }
    })
    const count = news.count ?? { owned: 0, total: parcels.length, path: 'api' as const }
    return { parcels, ...pick(count), price: news.price?.amount, isSample: false, retry }
  }
  // Also while it is tried again, so that nothing comes and goes.
  if (query.errorUpdateCount > 0) {
    const parcels = sampleLand(code)
    const owned = parcels.filter((parcel) => parcel.owned).length
    return { parcels, owned, total: parcels.length, path: 'api', price: undefined, isSample: true, retry }
  }
  return { parcels: undefined, owned: 0, total: 0, path: 'api', price: undefined, isSample: false, retry }
}

const pick = ({ owned, total, path }: { owned: number; total: number; path: NewsPath }) => ({
  owned,
  total,
  path,
})

/** Reads what changed of a continent: its list only where the version of the stats is beyond the known one. */
async function readLand(
  code: ContinentCode,
  known: readonly LandParcel[] | undefined,
  signal: AbortSignal,
): Promise<readonly LandParcel[]> {
  try {
    const stats = await readStats(signal).catch((error: unknown) => {
      // Without its price a continent can still be looked at; without both there is nothing to show.
      if (known || signal.aborted) throw error
    })
    const version = stats ? (stats[code]?.version ?? UNKNOWN) : 0
    if (known && version <= worldNews.get()[code].listedAt) return known
    const parcels = await readLandParcels({ regionId: code }, signal)
    tellNews((news) => learnList(news, code, { parcels, version }))
    noteHeard()
    return parcels
  } catch (error) {
    if (!signal.aborted) noteReadFailed()
    throw error
  }
}
