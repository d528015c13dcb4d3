import * as contract from '#contract/market.ts'
import { cotton } from '#game/cotton.ts'
import { parcelOf } from '#game/world.ts'
import { requireOwnWallet } from '#server/account/own-wallet.ts'
import { submitting } from '#server/account/submit.ts'
import { refuse } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import { ok, type Serve } from '#server/platform/http/serve.ts'
import type { News } from '#server/realtime/news.ts'
import { buyListings, type Purchase } from './buy-listings.ts'
import { cancelListings } from './cancel-listings.ts'
import { listParcels, type Offer } from './list-parcels.ts'
import type { ListingView } from './listing-view.ts'
import type { Market } from './market-mode.ts'
import { readListingsOf, readSalesOf } from './read-listings.ts'

export type MarketDeps = { db: Db; clock: Clock; market: Market; listings: ListingView; news: News }

/** Listings and sales for everyone; offering, buying and taking back for players. */
export function marketRoutes(serve: Serve, deps: MarketDeps): void {
  const { db, listings, news } = deps

  const submitOffer = submitting(deps, (tx, offers: readonly Offer[]) => listParcels(tx, offers, deps))
  const submitPurchase = submitting(deps, (tx, purchases: readonly Purchase[]) =>
    buyListings(tx, purchases, deps),
  )
  const submitCancel = submitting(deps, cancelListings)

  serve(contract.readListings, () => listings.listings())

  serve(contract.readUserListings, async ({ params, player }) =>
    ok({ listings: await readListingsOf(db, { wallet: params.wallet, reader: player?.wallet ?? null }) }),
  )

  serve(contract.readParcelSales, async ({ params }) => {
    if (!parcelOf(params.parcelId)) refuse('parcel_not_found')
    return ok({ sales: await readSalesOf(db, params.parcelId) })
  })

  serve(
    contract.listParcel,
    async ({ player, body, key }) => {
      requireOwnWallet(player, body.walletAddress)
      const asked = { wallet: player.wallet, parcelId: body.parcelId, price: cotton(body.price), key }
      const reply = await submitOffer(asked, player)
      await news.changed('market')
      return reply
    },
    { confirms: true },
  )

  serve(
    contract.purchaseListing,
    async ({ player, body, key }) => {
      requireOwnWallet(player, body.walletAddress)
      const expectedPrice = body.expectedPrice === undefined ? null : cotton(body.expectedPrice)
      const asked = { wallet: player.wallet, listingId: body.listingId, expectedPrice, key }
      const reply = await submitPurchase(asked, player)
      await news.changed('market', 'land')
      return reply
    },
    { confirms: true },
  )

  serve(
    contract.cancelListing,
    async ({ player, params, body, key }) => {
      requireOwnWallet(player, body.walletAddress)
      const asked = { wallet: player.wallet, listingId: params.listingId, key }
      const reply = await submitCancel(asked, player)
      await news.changed('market')
      return reply
    },
    { confirms: true },
  )
}
