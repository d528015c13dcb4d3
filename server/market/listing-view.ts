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

/** The market as this process knows it, with encoded responses and frames. */
export type ListingView = {
  /** Reads the market and returns the channels that changed. Calls must not overlap. */
  refresh(): Promise<string[]>
  /** Removes a listing that was sold or cancelled, and returns the channels that changed. */
  applyRemoval(listingId: string): string[]
  listings(): CachedResponse<Listings>
  /** The frame `listingUpdate`. */
  frame(): Buffer
}

/** The open continents and the active listings at one time. */
type MarketState = { open: readonly ContinentCode[]; active: readonly ListingOnWire[] }

const CHANGED = ['market']

/** Reads the market into memory. A parcel has at most one active listing, so the market is a few hundred rows. */
export async function openListingView(db: Db, market: Market): Promise<ListingView> {
  // Removed listings stay removed. A read that began before a removal may still contain the listing.
  const removed = new Set<string>()
  const read = async (): Promise<MarketState> => {
    const removedBefore = [...removed]
    const [continents, listings] = await Promise.all([market.openContinents(db), readActiveListings(db)])
    for (const id of removedBefore) removed.delete(id)
    // While some continents are open, listings on closed ones cannot be bought and are hidden.
    const isShown = ({ continentCode }: ListingOnWire) =>
      continents.size === 0 || continents.has(continentCode)
    const open = CONTINENTS.filter((code) => continents.has(code))
    return { open, active: listings.filter((each) => !removed.has(each.id) && isShown(each)) }
  }
  let view = createView(await read())
  return {
    async refresh() {
      const state = await read()
      if (isSame(state, view.state)) return []
      view = createView(state)
      return CHANGED
    },
    applyRemoval(listingId) {
      const { open, active } = view.state
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

// Each encoding is computed on first use, because many sales may happen between two reads.
function createView(state: MarketState) {
  const { open: openContinents, active } = state
  const open = openContinents.length > 0
  return {
    state,
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

/** Compares ids only: the facts of a listing never change. */
const isSame = (a: MarketState, b: MarketState): boolean =>
  a.open.join() === b.open.join() &&
  a.active.length === b.active.length &&
  a.active.every(({ id }, at) => id === b.active[at]!.id)
