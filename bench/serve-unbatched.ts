import { purchaseListing } from '#contract/market.ts'
import { purchaseParcel } from '#contract/parcels.ts'
import { claimWorker, purchaseWorker } from '#contract/workers.ts'
import { buyListings } from '#server/market/buy-listings.ts'
import type { Market } from '#server/market/market-mode.ts'
import { buyParcels } from '#server/parcels/buy-parcels.ts'
import { replyOf } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Serve } from '#server/platform/http/serve.ts'
import { claim } from '#server/workers/claim.ts'
import { hire } from '#server/workers/hire.ts'
import type { WorldState } from '#server/world/world-state.ts'

type Deps = { db: Db; clock: Clock; market: Market } & Pick<WorldState, 'land' | 'supply' | 'changes'>

/** The baseline: the product's actions without batching. Each request is a separate transaction. */
export function serveUnbatched(serve: Serve, deps: Deps): void {
  const { db, clock, land, supply, changes } = deps

  serve(claimWorker, async ({ player, body, key }) => {
    const request = { wallet: player.wallet, workerId: body.workerId, key }
    const [answer] = await db.transaction((tx) => claim(tx, [request], clock))
    return replyOf(answer!)
  })

  serve(purchaseWorker, async ({ player, body, key }) => {
    const request = { wallet: player.wallet, workerType: body.workerType, key }
    const [answer] = await db.transaction((tx) => hire(tx, [request], clock))
    const reply = replyOf(answer!)
    await changes.publishApplied('supply', supply.applyHire(reply.worker))
    return reply
  })

  serve(purchaseParcel, async ({ player, body, key }) => {
    const request = { wallet: player.wallet, parcelId: body.parcelId, expectedPrice: null, key }
    const [answer] = await db.transaction((tx) => buyParcels(tx, [request], clock))
    const reply = replyOf(answer!)
    await changes.publishApplied('land', land.applySale(reply))
    return reply
  })

  serve(purchaseListing, async ({ player, body, key }) => {
    const request = { wallet: player.wallet, listingId: body.listingId, expectedPrice: null, key }
    const [answer] = await db.transaction((tx) => buyListings(tx, [request], deps))
    const reply = replyOf(answer!)
    await Promise.all([changes.publish('market'), changes.publish('land')])
    return reply
  })
}
