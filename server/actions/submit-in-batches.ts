import { type Answer, refuse, replyOf } from '#server/platform/answer.ts'
import { assert } from '#server/platform/assert.ts'
import type { Clock } from '#server/platform/clock.ts'
import { runBatch } from './run-batch.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { createBatcher } from '#server/platform/batcher.ts'
import type { Player } from '#server/platform/http/serve.ts'
import type { ActionRequest } from './run-once.ts'

/** An action as it is written: many requests in, one answer each. */
export type Action<Q extends ActionRequest, Reply> = (
  tx: Tx,
  requests: readonly Q[],
  clock: Clock,
) => Promise<Answer<Reply>[]>

/** A request, and its player where the session is still to be confirmed. */
type Submission<Q> = { request: Q; player: Player | null }

/**
 * Hands single requests to an action in batches, and gives each its reply or throws its refusal. Sessions that are
 * still to be confirmed are asked for in the journey that locks: where one is dead nothing is done for it.
 */
export function submitInBatches<Q extends ActionRequest, Reply>(
  { db, clock }: { db: Db; clock: Clock },
  action: Action<Q, Reply>,
): (request: Q, player?: Player) => Promise<Reply> {
  const batch = {
    async act(tx: Tx, submissions: readonly Submission<Q>[]) {
      const unconfirmedPlayers = submissions.flatMap(({ player }) => player ?? [])
      const [alive, answers] = await Promise.all([
        unconfirmedPlayers[0]?.revalidation?.areActive(tx, unconfirmedPlayers) ?? true,
        action(
          tx,
          submissions.map(({ request }) => request),
          clock,
        ),
      ])
      // Of many this one is found by halves, as whatever else is wrong with one of a batch.
      if (!alive) refuse('not_authenticated')
      for (const { revalidation } of unconfirmedPlayers) revalidation!.revalidated = true
      return answers
    },
    isIdempotent: ({ request }: Submission<Q>) => request.key !== null,
  }
  const submit = createBatcher<Submission<Q>, Answer<Reply>>({
    run: (submissions) => runBatch(db, batch, submissions),
    conflictKeyOf: ({ request: { wallet, key } }) =>
      key === null ? null : `${wallet} ${key.route} ${key.key}`,
  })
  return async (request, player) => {
    assert(!player || player.wallet === request.wallet, 'a player acts for the own wallet')
    return replyOf(await submit({ request, player: player?.revalidation ? player : null }))
  }
}
