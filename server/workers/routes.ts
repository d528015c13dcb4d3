import * as workers from '#contract/workers.ts'
import { requireOwnWallet } from '#server/account/own-wallet.ts'
import { replyOf } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import { ok, type Serve } from '#server/platform/http/serve.ts'
import type { News } from '#server/realtime/news.ts'
import { claim, claimAll } from './claim.ts'
import { hire } from './hire.ts'
import { readOwnedWorkers } from './read-workers.ts'
import type { SupplyView } from './supply-view.ts'

/** Types and supply for everyone; hiring, claiming and one's own workers for players. */
export function workerRoutes(
  serve: Serve,
  { db, clock, supply, news }: { db: Db; clock: Clock; supply: SupplyView; news: News },
): void {
  serve(workers.readWorkerTypes, async () => supply.types())

  serve(workers.readWorkerSupply, async () => supply.supply())

  serve(workers.readOwnedWorkers, async ({ player }) =>
    ok({ workers: await readOwnedWorkers(db, { wallet: player.wallet, now: clock.now() }) }),
  )

  serve(workers.purchaseWorker, async ({ player, body, key }) => {
    requireOwnWallet(player, body.walletAddress)
    const asked = { wallet: player.wallet, workerType: body.workerType, key }
    const [answer] = await db.transaction((tx) => hire(tx, [asked], clock))
    const reply = replyOf(answer!)
    await news.changed('supply')
    return reply
  })

  serve(workers.claimWorker, async ({ player, body, key }) => {
    const asked = { wallet: player.wallet, workerId: body.workerId, key }
    const [answer] = await db.transaction((tx) => claim(tx, [asked], clock))
    return replyOf(answer!)
  })

  serve(workers.claimAllWorkers, async ({ player, body, key }) => {
    const asked = { wallet: player.wallet, workerType: body.workerType ?? null, key }
    const [answer] = await db.transaction((tx) => claimAll(tx, [asked], clock))
    return replyOf(answer!)
  })
}
