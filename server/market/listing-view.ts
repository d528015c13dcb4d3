import { CONTINENTS, type ContinentCode } from '#game/continents.ts'
import type { readListings } from '#contract/market.ts'
import type { ReplyOf } from '#contract/route.ts'
import type { Db } from '#server/platform/db/db.ts'
import { Kept } from '#server/platform/http/kept.ts'
import { once } from '#server/platform/once.ts'
import { encode } from '#server/realtime/encode.ts'
import type { Market } from './market-mode.ts'
import { type ListingOnWire, readActiveListings } from './read-listings.ts'

type Listings = ReplyOf<typeof readListings>

/** The market as this process knows it, in the very bytes that travel. */
export type ListingView = {
  /** Reads the market anew; gives the channels that have something to say. Not for two calls at once. */
  refresh(): Promise<string[]>
  /** Takes over that a listing was sold or taken back; gives the channels that have something to say. */
  learnGone(listingId: string): string[]
  listings(): Kept<Listings>
  /** The frame `listingUpdate`. */
  frame(): Buffer
}

/** What is on offer at one moment. */
type Offers = { open: readonly ContinentCode[]; active: readonly ListingOnWire[] }

const CHANGED = ['market']

/** Reads the market and keeps it in memory. A parcel is listed once at a time, so all of it is a few hundred rows. */
export async function openListingView(db: Db, market: Market): Promise<ListingView> {
  // No listing comes back, but one that was read before it went may.
  const gone = new Set<string>()
  const read = async (): Promise<Offers> => {
    const goneBefore = [...gone]
    const [continents, listings] = await Promise.all([market.openContinents(db), readActiveListings(db)])
    for (const id of goneBefore) gone.delete(id)
    // Where some are open, what cannot be bought elsewhere is not on offer.
    const mayShow = ({ continentCode }: ListingOnWire) =>
      continents.size === 0 || continents.has(continentCode)
    const open = CONTINENTS.filter((code) => continents.has(code))
    return { open, active: listings.filter((each) => !gone.has(each.id) && mayShow(each)) }
  }
  let view = formsOf(await read())
  return {
    async refresh() {
      const offers = await read()
      if (isSame(offers, view.offers)) return []
      view = formsOf(offers)
      return CHANGED
    },
    learnGone(listingId) {
      const { open, active } = view.offers
      gone.add(listingId)
      const left = active.filter(({ id }) => id !== listingId)
      if (left.length === active.length) return []
      view = formsOf({ open, active: left })
      return CHANGED
    },
    listings: () => view.listings(),
    frame: () => view.frame(),
  }
}

// Every form is made when it is first asked for: between two questions there may have been many sales.
function formsOf(offers: Offers) {
  const { open: openContinents, active } = offers
  const open = openContinents.length > 0
  return {
    offers,
    listings: once(
      () =>
        new Kept<Listings>({
          success: true,
          open,
          openContinents: [...openContinents],
          listings: [...active],
        }),
    ),
    frame: once(() =>
      encode({
        type: 'listingUpdate',
        data: { open, openContinents: [...openContinents], active: active.length },
      }),
    ),
  }
}

/** What a listing says of itself never changes. */
const isSame = (a: Offers, b: Offers): boolean =>
  a.open.join() === b.open.join() &&
  a.active.length === b.active.length &&
  a.active.every(({ id }, at) => id === b.active[at]!.id)
