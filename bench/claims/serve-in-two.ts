import { claimWorker } from '#contract/workers.ts'
import { submitInBatches } from '#server/actions/submit-in-batches.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import type { Serve } from '#server/platform/http/serve.ts'
import { claim } from '#server/workers/claim.ts'

/** The route of a claim with two batches on their way at a time: calls join one gathering and the other in turn. */
export function serveInTwo(serve: Serve, deps: { db: Db; clock: Clock }): void {
  const submits = [submitInBatches(deps, claim), submitInBatches(deps, claim)]
  let turn = 0
  serve(
    claimWorker,
    ({ player, body, key }) => {
      turn = (turn + 1) % submits.length
      return submits[turn]!({ wallet: player.wallet, workerId: body.workerId, key }, player)
    },
    { revalidates: true },
  )
}
