import { useSyncExternalStore } from 'react'
import { useStore } from '#web/store.ts'
import { type Freshness, freshnessOf } from './freshness.ts'
import { lastUpdate, changeFeed } from './world-state.ts'

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** The freshness of the page, and the time of the last update. */
export function useFreshness(): { freshness: Freshness; lastUpdateAt: Date | null } {
  const feedState = useStore(changeFeed.state)
  const { at, lastReadFailed } = useStore(lastUpdate)
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  return { freshness: freshnessOf({ feedState, lastReadFailed, online }), lastUpdateAt: at }
}
