import { consoleMessages } from '#web/messages/en-console.ts'
import { useStore } from '#web/store.ts'
import { isStale, live } from '../api/live.ts'
import { Badge } from '../ui/badge.tsx'
import { useNow } from '../ui/use-now.ts'

/** Whether the pages follow the game. */
export function LiveBadge() {
  const now = useNow()
  const state = useStore(live)
  if (isStale(state, now)) return <Badge tone="bad">{consoleMessages.notLive}</Badge>
  if (state.answeredAt === null) return <Badge>{consoleMessages.connecting}</Badge>
  return <Badge tone="good">{consoleMessages.live}</Badge>
}
