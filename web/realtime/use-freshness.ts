import { useSyncExternalStore } from 'react'
import { useStore } from '#web/store.ts'
import { type Freshness, freshnessOf } from './freshness.ts'
import { lastHeard, newsLine } from './news.ts'

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** How fresh the page is, and when the server was heard last. */
export function useFreshness(): { freshness: Freshness; heardAt: Date | null } {
  const line = useStore(newsLine.state)
  const { at, lastReadFailed } = useStore(lastHeard)
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  return { freshness: freshnessOf({ line, lastReadFailed, online }), heardAt: at }
}
