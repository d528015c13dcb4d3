import { type Outage, reachability } from '#web/api/reachability.ts'
import { useStore } from '#web/store.ts'
import { useOnline } from '#web/use-online.ts'

/** Why the page cannot read the game; null while it can. A problem of the browser's own network comes first. */
export function useConnectionProblem(): 'offline' | Outage | null {
  const { outage } = useStore(reachability)
  return useOnline() ? outage : 'offline'
}
