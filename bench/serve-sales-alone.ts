import { purchaseListing } from '#contract/market.ts'
import { purchaseParcel } from '#contract/parcels.ts'
import { purchaseWorker } from '#contract/workers.ts'
import { buyListings } from '#server/market/buy-listings.ts'
import type { Market } from '#server/market/market-mode.ts'
import { buyParcels } from '#server/parcels/buy-parcels.ts'
import { replyOf } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Serve } from '#server/platform/http/serve.ts'
import { hire } from '#server/workers/hire.ts'
import type { WorldState } from '#server/world/world-state.ts'

type Deps = { db: Db; clock: Clock; market: Market } & Pick<WorldState, 'land' | 'supply' | 'changes'>

/** The routes of everything that is sold, without the gathering: each request is a transaction of its own. */
export function serveSalesAlone(serve: Serve, deps: Deps): void {
  const { db, clock, land, supply, changes } = deps

  serve(purchaseWorker, async ({ player, body, key }) => {
    const asked = { wallet: player.wallet, workerType: body.workerType, key }
    const [answer] = await db.transaction((tx) => hire(tx, [asked], clock))
    const reply = replyOf(answer!)
    await changes.publishApplied('supply', supply.applyHire(reply.worker))
    return reply
  })

  serve(purchaseParcel, async ({ player, body, key }) => {
    const asked = { wallet: player.wallet, parcelId: body.parcelId, expectedPrice: null, key }
    const [answer] = await db.transaction((tx) => buyParcels(tx, [asked], clock))
    const reply = replyOf(answer!)
    await changes.publishApplied('land', land.applySale(reply))
    return reply
  })

  serve(purchaseListing, async ({ player, body, key }) => {
    const asked = { wallet: player.wallet, listingId: body.listingId, expectedPrice: null, key }
    const [answer] = await db.transaction((tx) => buyListings(tx, [asked], deps))
    const reply = replyOf(answer!)
    await changes.publish('market', 'land')
    return reply
  })
}
