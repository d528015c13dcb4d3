import type { LineState } from './news-line.ts'

/** The parcel page reads the API this often, exactly while the socket is down (spec §9). */
export const POLL_EVERY_MS = 1_000

/** How news reaches a page: pushed, asked for every second, or not at all. */
export type Freshness = 'live' | 'polling' | 'offline'

/** How often a page of land reads the API; not at all while the socket brings the news. */
export function pollEveryMs(line: LineState): number | false {
  return line === 'open' ? false : POLL_EVERY_MS
}

export function freshnessOf(now: { line: LineState; lastReadFailed: boolean; online: boolean }): Freshness {
  if (now.line === 'open') return 'live'
  return now.lastReadFailed || !now.online ? 'offline' : 'polling'
}
