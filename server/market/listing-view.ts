import { CONTINENTS, type ContinentCode } from '#game/continents.ts'
import type { readListings } from '#contract/market.ts'
import type { ReplyOf } from '#contract/route.ts'
import type { Db } from '#server/platform/db/db.ts'
import { CachedResponse } from '#server/platform/http/cached-response.ts'
import { memoize } from '#server/platform/memoize.ts'
import { encodeFrame } from '#server/realtime/encode-frame.ts'
import type { Market } from './market-mode.ts'
import { type ListingOnWire, readActiveListings } from './read-listings.ts'

type Listings = ReplyOf<typeof readListings>

/** The market as this process knows it, in the very bytes that travel. */
export type ListingView = {
  /** Reads the market anew; gives the channels that have something to say. Not for two calls at once. */
  refresh(): Promise<string[]>
  /** Takes over that a listing was sold or taken back; gives the channels that have something to say. */
  applyRemoval(listingId: string): string[]
  listings(): CachedResponse<Listings>
  /** The frame `listingUpdate`. */
  frame(): Buffer
}

/** What is on offer at one moment. */
type MarketState = { open: readonly ContinentCode[]; active: readonly ListingOnWire[] }

const CHANGED = ['market']

/** Reads the market and keeps it in memory. A parcel is listed once at a time, so all of it is a few hundred rows. */
export async function openListingView(db: Db, market: Market): Promise<ListingView> {
  // No listing comes back, but one that was read before it went may.
  const removed = new Set<string>()
  const read = async (): Promise<MarketState> => {
    const removedBefore = [...removed]
    const [continents, listings] = await Promise.all([market.openContinents(db), readActiveListings(db)])
    for (const id of removedBefore) removed.delete(id)
    // Where some are open, what cannot be bought elsewhere is not on offer.
    const mayShow = ({ continentCode }: ListingOnWire) =>
      continents.size === 0 || continents.has(continentCode)
    const open = CONTINENTS.filter((code) => continents.has(code))
    return { open, active: listings.filter((each) => !removed.has(each.id) && mayShow(each)) }
  }
  let view = createView(await read())
  return {
    async refresh() {
      const state = await read()
      if (isSame(state, view.offers)) return []
      view = createView(state)
      return CHANGED
    },
    applyRemoval(listingId) {
      const { open, active } = view.offers
      removed.add(listingId)
      const left = active.filter(({ id }) => id !== listingId)
      if (left.length === active.length) return []
      view = createView({ open, active: left })
      return CHANGED
    },
    listings: () => view.listings(),
    frame: () => view.frame(),
  }
}

// Every form is made when it is first asked for: between two questions there may have been many sales.
function createView(state: MarketState) {
  const { open: openContinents, active } = state
  const open = openContinents.length > 0
  return {
    offers: state,
    listings: memoize(
      () =>
        new CachedResponse<Listings>({
          success: true,
          open,
          openContinents: [...openContinents],
          listings: [...active],
        }),
    ),
    frame: memoize(() =>
      encodeFrame({
        type: 'listingUpdate',
        data: { open, openContinents: [...openContinents], active: active.length },
      }),
    ),
  }
}

/** What a listing says of itself never changes. */
const isSame = (a: MarketState, b: MarketState): boolean =>
  a.open.join() === b.open.join() &&
  a.active.length === b.active.length &&
  a.active.every(({ id }, at) => id === b.active[at]!.id)
