import { type Answer, Refused, replyOf } from '#server/platform/answer.ts'
import { assert } from '#server/platform/assert.ts'
import type { Clock } from '#server/platform/clock.ts'
import { runBatch, SomeRefused } from './run-batch.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { createBatcher } from '#server/platform/batcher.ts'
import type { Player } from '#server/platform/http/serve.ts'
import type { ActionRequest } from './run-once.ts'

/** An action: many requests in, one answer each, in their order. */
export type Action<Q extends ActionRequest, Reply> = (
  tx: Tx,
  requests: readonly Q[],
  clock: Clock,
) => Promise<Answer<Reply>[]>

/** A request, and its player if the session still has to be re-validated. */
type Submission<Q> = { request: Q; player: Player | null }

/**
 * Returns a function that submits one request to an action. Requests run in batches; each call resolves with its reply
 * or throws its refusal. Cached sessions are re-validated in the round trip that takes the locks. If some have ended, the
 * batch is rolled back and runs again without them.
 */
export function submitInBatches<Q extends ActionRequest, Reply>(
  { db, clock }: { db: Db; clock: Clock },
  action: Action<Q, Reply>,
): (request: Q, player?: Player) => Promise<Reply> {
  const batch = {
    async act(tx: Tx, submissions: readonly Submission<Q>[]) {
      const cachedPlayers = submissions.flatMap(({ player }) => player ?? [])
      const [ended, answers] = await Promise.all([
        cachedPlayers[0]?.revalidation?.findEnded(tx, cachedPlayers),
        action(
          tx,
          submissions.map(({ request }) => request),
          clock,
        ),
      ])
      if (ended && ended.size > 0) {
        const refused = submissions.filter(({ player }) => player && ended.has(player))
        throw new SomeRefused(refused, new Refused({ code: 'not_authenticated', facts: {} }))
      }
      for (const { revalidation } of cachedPlayers) revalidation!.revalidated = true
      return answers
    },
    isIdempotent: ({ request }: Submission<Q>) => request.key !== null,
  }
  const submit = createBatcher<Submission<Q>, Answer<Reply>>({
    name: action.name,
    run: (submissions) => runBatch(db, batch, submissions),
    conflictKeyOf: ({ request: { wallet, key } }) =>
      key === null ? null : `${wallet} ${key.route} ${key.key}`,
  })
  return async (request, player) => {
    assert(!player || player.wallet === request.wallet, 'a player acts for their own wallet')
    return replyOf(await submit({ request, player: player?.revalidation ? player : null }))
  }
}
