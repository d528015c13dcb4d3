import * as workers from '#contract/workers.ts'
import { serveAct } from '#server/actions/serve-act.ts'
import { submitting } from '#server/actions/submit.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/db.ts'
import { ok, type Serve } from '#server/platform/http/serve.ts'
import type { News } from '#server/realtime/news.ts'
import { claim, claimAll } from './claim.ts'
import { hire, type Hire } from './hire.ts'
import { readOwnedWorkers } from './read-workers.ts'
import type { SupplyView } from './supply-view.ts'

/** Types and supply for everyone; hiring, claiming and one's own workers for players. */
export function workerRoutes(
  serve: Serve,
  { db, clock, supply, news }: { db: Db; clock: Clock; supply: SupplyView; news: News },
): void {
  const submitHire = submitting({ db, clock }, hire)
  const submitClaim = submitting({ db, clock }, claim)
  const submitClaimAll = submitting({ db, clock }, claimAll)

  serve(workers.readWorkerTypes, () => supply.types())

  serve(workers.readWorkerSupply, () => supply.supply())

  serve(workers.readOwnedWorkers, async ({ player: { wallet }, query: { after } }) =>
    ok(await readOwnedWorkers(db, { wallet, after, now: clock.now() })),
  )

  serveAct(serve, workers.purchaseWorker, {
    ask: ({ body }, caller): Hire => ({ ...caller, workerType: body.workerType }),
    submit: submitHire,
    tell: ({ worker }) => news.learned('supply', supply.learn(worker)),
  })

  serve(
    workers.claimWorker,
    ({ player, body, key }) => submitClaim({ wallet: player.wallet, workerId: body.workerId, key }, player),
    { confirms: true },
  )

  serve(
    workers.claimAllWorkers,
    ({ player, body, key }) =>
      submitClaimAll({ wallet: player.wallet, workerType: body.workerType ?? null, key }, player),
    { confirms: true },
  )
}
