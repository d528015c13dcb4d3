import * as workers from '#contract/workers.ts'
import { serveAction } from '#server/actions/serve-action.ts'
import { submitInBatches } from '#server/actions/submit-in-batches.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import { ok, type Serve } from '#server/platform/http/serve.ts'
import type { Changes } from '#server/realtime/changes.ts'
import { claim, claimAll } from './claim.ts'
import { hire, type Hire } from './hire.ts'
import { readOwnedWorkers } from './read-workers.ts'
import type { SupplyView } from './supply-view.ts'

/** Worker types and supply for everyone; hiring, claiming and the list of own workers for players. */
export function workerRoutes(
  serve: Serve,
  { db, clock, supply, changes }: { db: Db; clock: Clock; supply: SupplyView; changes: Changes },
): void {
  const submitHire = submitInBatches({ db, clock }, hire)
  const submitClaim = submitInBatches({ db, clock }, claim)
  const submitClaimAll = submitInBatches({ db, clock }, claimAll)

  serve(workers.readWorkerTypes, () => supply.types())

  serve(workers.readWorkerSupply, () => supply.supply())

  serve(workers.readOwnedWorkers, async ({ player: { wallet }, query: { after } }) =>
    ok(await readOwnedWorkers(db, { wallet, after, now: clock.now() })),
  )

  serveAction(serve, workers.purchaseWorker, {
    toRequest: ({ body }, caller): Hire => ({ ...caller, workerType: body.workerType }),
    submit: submitHire,
    publish: ({ worker }) => changes.publishApplied('supply', supply.applyHire(worker)),
  })

  serve(
    workers.claimWorker,
    ({ player, body, key }) => submitClaim({ wallet: player.wallet, workerId: body.workerId, key }, player),
    { revalidates: true },
  )

  serve(
    workers.claimAllWorkers,
    ({ player, body, key }) =>
      submitClaimAll({ wallet: player.wallet, workerType: body.workerType ?? null, key }, player),
    { revalidates: true },
  )
}
