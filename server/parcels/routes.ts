import * as parcels from '#contract/parcels.ts'
import { fromWire } from '#game/cotton.ts'
import { requireOwnWallet } from '#server/account/own-wallet.ts'
import { submitting } from '#server/account/submit.ts'
import { refuse } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Serve } from '#server/platform/http/serve.ts'
import type { News } from '#server/realtime/news.ts'
import { buyParcels } from './buy-parcels.ts'
import type { LandView } from './land-view.ts'

/** Prices and parcels for everyone; buying for players. */
export function parcelRoutes(
  serve: Serve,
  { db, clock, land, news }: { db: Db; clock: Clock; land: LandView; news: News },
): void {
  const submitBuy = submitting({ db, clock }, buyParcels)

  serve(parcels.readContinentPrice, ({ params }) => land.prices(params.regionId))

  serve(parcels.readContinentStats, () => land.stats())

  serve(parcels.readParcels, ({ query: { regionId, owner } }) => {
    if (regionId !== undefined && owner === undefined) return land.parcels(regionId)
    if (owner !== undefined && regionId === undefined) return Promise.resolve(land.parcelsOf(owner))
    return refuse('malformed', { field: 'regionId', problem: 'is needed, or owner instead of it' })
  })

  serve(
    parcels.purchaseParcel,
    async ({ player, body, key }) => {
      requireOwnWallet(player, body.walletAddress)
      const expectedPrice = body.expectedPrice === undefined ? null : fromWire(body.expectedPrice)
      const asked = { wallet: player.wallet, parcelId: body.parcelId, expectedPrice, key }
      const reply = await submitBuy(asked, player)
      await news.learned('land', land.learn(reply))
      return reply
    },
    { confirms: true },
  )
}
