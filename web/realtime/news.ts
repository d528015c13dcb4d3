import type { DownMessage } from '#contract/realtime.ts'
import type { ContinentCode } from '#game/continents.ts'
import { queryClient } from '#web/api/query-client.ts'
import { createStore, useStore } from '#web/store.ts'
import { type ContinentNews, hear, NO_NEWS, type WorldNews } from './land-news.ts'
import { createNewsLine } from './news-line.ts'
import { updateMarket } from './update-market.ts'
import { updateWorkerTypes } from './update-worker-types.ts'

/** What is known of the land of the world, whichever way it came. */
export const worldNews = createStore<WorldNews>(NO_NEWS)

/** When the server was heard last, in the browser's own time, and whether the last read failed. */
export const lastHeard = createStore<{ at: Date | null; lastReadFailed: boolean }>({
  at: null,
  lastReadFailed: false,
})

export function tellNews(change: (news: WorldNews) => WorldNews): void {
  worldNews.set(change(worldNews.get()))
}

export function noteHeard(): void {
  lastHeard.set({ at: new Date(), lastReadFailed: false })
}

export function noteReadFailed(): void {
  lastHeard.set({ ...lastHeard.get(), lastReadFailed: true })
}

function receive(message: DownMessage): void {
  noteHeard()
  if (message.type === 'workerUpdate') updateWorkerTypes(queryClient, message.data)
  else if (message.type === 'listingUpdate') updateMarket(queryClient, message.data)
  else tellNews((news) => hear(news, message))
}

export const newsLine = createNewsLine({
  open: () => new WebSocket(`${window.location.origin.replace(/^http/, 'ws')}/ws`),
  hear: receive,
})

export function useContinentNews(code: ContinentCode): ContinentNews {
  return useStore(worldNews)[code]
}
