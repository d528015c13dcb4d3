import { useOnline } from '#web/use-online.ts'
import { useStore } from '#web/store.ts'
import { type Freshness, freshnessOf } from './freshness.ts'
import { lastUpdate, changeFeed } from './world-state.ts'

/** The freshness of the page, and the time of the last update. */
export function useFreshness(): { freshness: Freshness; lastUpdateAt: Date | null } {
  const feedState = useStore(changeFeed.state)
  const { at, lastReadFailed } = useStore(lastUpdate)
  return { freshness: freshnessOf({ feedState, lastReadFailed, online: useOnline() }), lastUpdateAt: at }
}
