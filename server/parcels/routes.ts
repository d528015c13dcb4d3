import * as parcels from '#contract/parcels.ts'
import { fromWire } from '#game/cotton.ts'
import { serveAction } from '#server/actions/serve-action.ts'
import { submitInBatches } from '#server/actions/submit-in-batches.ts'
import { refuse } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Serve } from '#server/platform/http/serve.ts'
import type { Changes } from '#server/realtime/changes.ts'
import { buyParcels, type ParcelBuy } from './buy-parcels.ts'
import type { LandView } from './land-view.ts'

/** Prices and parcels for everyone; purchases for players. */
export function parcelRoutes(
  serve: Serve,
  { db, clock, land, changes }: { db: Db; clock: Clock; land: LandView; changes: Changes },
): void {
  const submitBuy = submitInBatches({ db, clock }, buyParcels)

  serve(parcels.readContinentPrice, ({ params }) => land.prices(params.regionId))

  serve(parcels.readContinentStats, () => land.stats())

  serve(parcels.readParcels, ({ query: { regionId, owner } }) => {
    if (regionId !== undefined && owner === undefined) return land.parcels(regionId)
    if (owner !== undefined && regionId === undefined) return Promise.resolve(land.parcelsOf(owner))
    return refuse('malformed', { field: 'regionId', problem: 'is needed, or owner instead of it' })
  })

  serveAction(serve, parcels.purchaseParcel, {
    toRequest: ({ body: { parcelId, expectedPrice } }, caller): ParcelBuy => ({
      ...caller,
      parcelId,
      expectedPrice: expectedPrice === undefined ? null : fromWire(expectedPrice),
    }),
    submit: submitBuy,
    publish: (reply) => changes.publishApplied('land', land.applySale(reply)),
  })
}
