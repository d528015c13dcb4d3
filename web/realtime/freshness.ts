import type { FeedState } from './change-feed.ts'

/** How often the parcel page reads the API while the socket is down (spec §9). */
const POLL_EVERY_MS = 1_000

/** How changes reach a page: pushed, polled every second, or not at all. */
export type Freshness = 'live' | 'polling' | 'offline'

/** While the socket is open, a failed read is retried after this time. */
const RETRY_FAILED_MS = 3_000

/** How often it reads the API while the socket is open: a socket can look open long after its connection was lost. */
const OPEN_POLL_MS = 30_000

/** How often a page of land reads the API. */
export function pollEveryMs(feedState: FeedState, failed: boolean): number {
  if (feedState !== 'open') return POLL_EVERY_MS
  return failed ? RETRY_FAILED_MS : OPEN_POLL_MS
}

export function freshnessOf(now: {
  feedState: FeedState
  lastReadFailed: boolean
  online: boolean
}): Freshness {
  if (now.feedState === 'open') return 'live'
  return now.lastReadFailed || !now.online ? 'offline' : 'polling'
}
