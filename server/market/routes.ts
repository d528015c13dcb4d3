import * as contract from '#contract/market.ts'
import { cotton } from '#game/cotton.ts'
import { parcelOf } from '#game/world.ts'
import { serveAct } from '#server/actions/serve-act.ts'
import { submitting } from '#server/actions/submit.ts'
import { refuse } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import { ok, type Serve } from '#server/platform/http/serve.ts'
import type { LandView } from '#server/parcels/land-view.ts'
import type { News } from '#server/realtime/news.ts'
import { buyListings, type Purchase } from './buy-listings.ts'
import { cancelListings } from './cancel-listings.ts'
import { listParcels, type Offer } from './list-parcels.ts'
import type { ListingView } from './listing-view.ts'
import type { Market } from './market-mode.ts'
import { readListingsOf, readSalesOf } from './read-listings.ts'

export type MarketDeps = {
  db: Db
  clock: Clock
  market: Market
  land: LandView
  listings: ListingView
  news: News
}

/** Listings and sales for everyone; offering, buying and taking back for players. */
export function marketRoutes(serve: Serve, deps: MarketDeps): void {
  const { db, land, listings, news } = deps

  const submitOffer = submitting(deps, (tx, offers: readonly Offer[]) => listParcels(tx, offers, deps))
  const submitPurchase = submitting(deps, (tx, purchases: readonly Purchase[]) =>
    buyListings(tx, purchases, deps),
  )
  const submitCancel = submitting(deps, cancelListings)

  serve(contract.readListings, () => listings.listings())

  serve(contract.readUserListings, async ({ params: { wallet }, query: { before }, player }) =>
    ok(await readListingsOf(db, { wallet, reader: player?.wallet ?? null, before })),
  )

  serve(contract.readParcelSales, async ({ params: { parcelId }, query: { before } }) => {
    if (!parcelOf(parcelId)) refuse('parcel_not_found')
    return ok(await readSalesOf(db, { parcelId, before }))
  })

  serveAct(serve, contract.listParcel, {
    ask: ({ body }, caller): Offer => ({ ...caller, parcelId: body.parcelId, price: cotton(body.price) }),
    submit: submitOffer,
    tell: () => news.changed('market'),
  })

  serveAct(serve, contract.purchaseListing, {
    ask: ({ body: { listingId, expectedPrice } }, caller): Purchase => ({
      ...caller,
      listingId,
      expectedPrice: expectedPrice === undefined ? null : cotton(expectedPrice),
    }),
    submit: submitPurchase,
    tell: ({ parcelId, version }, { listingId, wallet: owner }) =>
      Promise.all([
        news.learned('market', listings.learnGone(listingId)),
        news.learned('land', land.learnOwner({ parcelId, owner, version })),
      ]),
  })

  serveAct(serve, contract.cancelListing, {
    ask: ({ params }, caller) => ({ ...caller, listingId: params.listingId }),
    submit: submitCancel,
    tell: (_reply, { listingId }) => news.learned('market', listings.learnGone(listingId)),
  })
}
