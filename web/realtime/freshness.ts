import type { FeedState } from './change-feed.ts'

/** The parcel page reads the API this often, exactly while the socket is down (spec §9). */
const POLL_EVERY_MS = 1_000

/** How news reaches a page: pushed, asked for every second, or not at all. */
export type Freshness = 'live' | 'polling' | 'offline'

/** With a socket, a read that failed is tried again after this long. */
const RETRY_FAILED_MS = 3_000

/** How often a page of land reads the API; not at all while the socket brings the news and the last read was good. */
export function pollEveryMs(feedState: FeedState, failed: boolean): number | false {
  if (feedState !== 'open') return POLL_EVERY_MS
  return failed ? RETRY_FAILED_MS : false
}

export function freshnessOf(now: {
  feedState: FeedState
  lastReadFailed: boolean
  online: boolean
}): Freshness {
  if (now.feedState === 'open') return 'live'
  return now.lastReadFailed || !now.online ? 'offline' : 'polling'
}
