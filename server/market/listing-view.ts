import type { readListings } from '#contract/market.ts'
import type { ReplyOf } from '#contract/route.ts'
import type { Db } from '#server/platform/db/db.ts'
import { Kept } from '#server/platform/http/kept.ts'
import { encode } from '#server/realtime/encode.ts'
import type { Market } from './market-mode.ts'
import { readActiveListings } from './read-listings.ts'

/** The market as this process knows it, in the very bytes that travel. */
export type ListingView = {
  /** Reads the market anew; gives the channels that have something to say. Not for two calls at once. */
  refresh(): Promise<string[]>
  listings(): Kept<ReplyOf<typeof readListings>>
  /** The frame `listingUpdate`. */
  frame(): Buffer
}

/** Reads the market and keeps it in memory. A parcel is listed once at a time, so all of it is a few hundred rows. */
export async function openListingView(db: Db, market: Market): Promise<ListingView> {
  const read = async () => {
    const [open, listings] = await Promise.all([market.isOpen(db), readActiveListings(db)])
    return new Kept<ReplyOf<typeof readListings>>({ success: true, open, listings })
  }
  let kept = await read()
  return {
    async refresh() {
      const before = kept.etag
      kept = await read()
      return kept.etag === before ? [] : ['market']
    },
    listings: () => kept,
    frame: () =>
      encode({ type: 'listingUpdate', data: { open: kept.reply.open, active: kept.reply.listings.length } }),
  }
}
