import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readContinentStats } from '#contract/parcels.ts'
import type { ReplyOf } from '#contract/route.ts'
import { CONTINENTS } from '#game/continents.ts'
import { learnStats, type WorldNews } from '#web/realtime/land-news.ts'
import { newsLine, noteHeard, noteReadFailed, tellNews, worldNews } from '#web/realtime/news.ts'
import { usePolling } from '#web/realtime/use-polling.ts'
import { useStore } from '#web/store.ts'
import { call } from '#web/api/call.ts'

/** Reads the counts and prices of the world, and puts them among the news. */
export async function readStats(signal: AbortSignal): Promise<ReplyOf<typeof readContinentStats>> {
  const stats = await call(readContinentStats, { signal })
  tellNews((news) => learnStats(news, stats))
  noteHeard()
  return stats
}

/** The newest counts and prices of all continents; `failed` while nothing is known because the server is silent. */
export function useLandStats(): { news: WorldNews; failed: boolean; retry: () => void } {
  const news = useStore(worldNews)
  const query = useQuery({
    queryKey: ['land-stats'],
    queryFn: async ({ signal }) => {
      try {
        return await readStats(signal)
      } catch (error) {
        if (!signal.aborted) noteReadFailed()
        throw error
      }
    },
    retry: false,
  })
  usePolling(query.refetch, query.isError)
  useEffect(() => {
    const leave = CONTINENTS.map(newsLine.follow)
    return () => leave.forEach((stop) => stop())
  }, [])
  const isKnown = CONTINENTS.every((code) => news[code].count !== null)
  return { news, failed: query.errorUpdateCount > 0 && !isKnown, retry: () => void query.refetch() }
}
