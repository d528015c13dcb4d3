import type { FeedState } from './change-feed.ts'

/** How often the parcel page reads the API while the socket is down (spec §9). */
const POLL_EVERY_MS = 1_000

/** How changes reach a page: pushed, polled every second, or not at all. */
export type Freshness = 'live' | 'polling' | 'offline'

/** While the socket is open, a failed read is retried after this time. */
const RETRY_FAILED_MS = 3_000

/** How often it reads the API while the socket is open: a socket can look open long after its connection was lost. */
const OPEN_POLL_MS = 30_000

/** How often a page of land reads the API. What has an interval of its own is not polled `whileOpen`. */
export function pollEveryMs(feedState: FeedState, failed: boolean, whileOpen = true): number | false {
  if (feedState !== 'open') return POLL_EVERY_MS
  if (failed) return RETRY_FAILED_MS
  return whileOpen && OPEN_POLL_MS
}

export function freshnessOf(now: {
  feedState: FeedState
  lastReadFailed: boolean
  online: boolean
}): Freshness {
  if (now.feedState === 'open') return 'live'
  return now.lastReadFailed || !now.online ? 'offline' : 'polling'
}
