import { type Answer, replyOf } from '#server/platform/answer.ts'
import type { Clock } from '#server/platform/clock.ts'
import { actInBatch } from '#server/platform/db/act-in-batch.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { gather } from '#server/platform/gather.ts'
import type { Request } from './act-once.ts'

/** An action as it is written: many requests in, one answer each. */
export type Action<Q extends Request, Reply> = (
  tx: Tx,
  requests: readonly Q[],
  clock: Clock,
) => Promise<Answer<Reply>[]>

/** Hands single requests to an action in batches, and gives each its reply or throws its refusal. */
export function submitting<Q extends Request, Reply>(
  { db, clock }: { db: Db; clock: Clock },
  action: Action<Q, Reply>,
): (request: Q) => Promise<Reply> {
  const batch = {
    act: (tx: Tx, requests: readonly Q[]) => action(tx, requests, clock),
    isRepeatable: (request: Q) => request.key !== null,
  }
  const submit = gather<Q, Answer<Reply>>({
    run: (requests) => actInBatch(db, batch, requests),
    nameOf: ({ wallet, key }) => (key === null ? null : `${wallet} ${key.route} ${key.key}`),
  })
  return async (request) => replyOf(await submit(request))
}
