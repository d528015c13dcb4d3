import { claimWorker } from '#contract/workers.ts'
import { replyOf } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Serve } from '#server/platform/http/serve.ts'
import { claim } from '#server/workers/claim.ts'

/** The route of a claim without the gathering: each request is a transaction of its own, as many at once as the pool has. */
export function serveAlone(serve: Serve, { db, clock }: { db: Db; clock: Clock }): void {
  serve(claimWorker, async ({ player, body, key }) => {
    const asked = { wallet: player.wallet, workerId: body.workerId, key }
    const [answer] = await db.transaction((tx) => claim(tx, [asked], clock))
    return replyOf(answer!)
  })
}
