import * as contract from '#contract/market.ts'
import { cotton } from '#game/cotton.ts'
import { parcelOf } from '#game/world.ts'
import { serveAction } from '#server/actions/serve-action.ts'
import { submitInBatches } from '#server/actions/submit-in-batches.ts'
import { refuse } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { ok, type Serve } from '#server/platform/http/serve.ts'
import type { LandView } from '#server/parcels/land-view.ts'
import type { Changes } from '#server/realtime/changes.ts'
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
  changes: Changes
}

/** Listings and past sales for everyone; listing, buying and cancelling for players. */
export function marketRoutes(serve: Serve, deps: MarketDeps): void {
  const { db, land, listings, changes } = deps

  // The metrics show these names.
  const offer = (tx: Tx, offers: readonly Offer[]) => listParcels(tx, offers, deps)
  const purchase = (tx: Tx, purchases: readonly Purchase[]) => buyListings(tx, purchases, deps)
  const submitOffer = submitInBatches(deps, offer)
  const submitPurchase = submitInBatches(deps, purchase)
  const submitCancel = submitInBatches(deps, cancelListings)

  serve(contract.readListings, () => listings.listings())

  serve(contract.readUserListings, async ({ params: { wallet }, query: { before }, player }) =>
    ok(await readListingsOf(db, { wallet, reader: player?.wallet ?? null, before })),
  )

  serve(contract.readParcelSales, async ({ params: { parcelId }, query: { before } }) => {
    if (!parcelOf(parcelId)) refuse('parcel_not_found')
    return ok(await readSalesOf(db, { parcelId, before }))
  })

  serveAction(serve, contract.listParcel, {
    toRequest: ({ body }, caller): Offer => ({
      ...caller,
      parcelId: body.parcelId,
      price: cotton(body.price),
    }),
    submit: submitOffer,
    publish: () => changes.publish('market'),
  })

  // A client may send a UUID in upper case (RFC 9562, section 4). Postgres and the view have it in lower case.
  serveAction(serve, contract.purchaseListing, {
    toRequest: ({ body: { listingId, expectedPrice } }, caller): Purchase => ({
      ...caller,
      listingId: listingId.toLowerCase(),
      expectedPrice: expectedPrice === undefined ? null : cotton(expectedPrice),
    }),
    submit: submitPurchase,
    publish: ({ parcelId, version }, { listingId, wallet: owner }) =>
      Promise.all([
        changes.publishApplied('market', listings.applyRemoval(listingId)),
        changes.publishApplied('land', land.applyOwnerChange({ parcelId, owner, version })),
      ]),
  })

  serveAction(serve, contract.cancelListing, {
    toRequest: ({ params }, caller) => ({ ...caller, listingId: params.listingId.toLowerCase() }),
    submit: submitCancel,
    publish: (_reply, { listingId }) => changes.publishApplied('market', listings.applyRemoval(listingId)),
  })
}
