import * as parcels from '#contract/parcels.ts'
import { fromWire } from '#game/cotton.ts'
import { serveAct } from '#server/actions/serve-act.ts'
import { submitting } from '#server/actions/submit.ts'
import { refuse } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Serve } from '#server/platform/http/serve.ts'
import type { News } from '#server/realtime/news.ts'
import { buyParcels, type ParcelBuy } from './buy-parcels.ts'
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

  serveAct(serve, parcels.purchaseParcel, {
    ask: ({ body: { parcelId, expectedPrice } }, caller): ParcelBuy => ({
      ...caller,
      parcelId,
      expectedPrice: expectedPrice === undefined ? null : fromWire(expectedPrice),
    }),
    submit: submitBuy,
    tell: (reply) => news.learned('land', land.learn(reply)),
  })
}
