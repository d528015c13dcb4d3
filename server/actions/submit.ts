import { type Answer, refuse, replyOf } from '#server/platform/answer.ts'
import { assert } from '#server/platform/assert.ts'
import type { Clock } from '#server/platform/clock.ts'
import { actInBatch } from './act-in-batch.ts'
import type { Db, Tx } from '#server/platform/db/db.ts'
import { gather } from '#server/platform/gather.ts'
import type { Player } from '#server/platform/http/serve.ts'
import type { Request } from './act-once.ts'

/** An action as it is written: many requests in, one answer each. */
export type Action<Q extends Request, Reply> = (
  tx: Tx,
  requests: readonly Q[],
  clock: Clock,
) => Promise<Answer<Reply>[]>

/** A request, and its player where the session is still to be confirmed. */
type Asked<Q> = { request: Q; player: Player | null }

/**
 * Hands single requests to an action in batches, and gives each its reply or throws its refusal. Sessions that are
 * still to be confirmed are asked for in the journey that locks: where one is dead nothing is done for it.
 */
export function submitting<Q extends Request, Reply>(
  { db, clock }: { db: Db; clock: Clock },
  action: Action<Q, Reply>,
): (request: Q, player?: Player) => Promise<Reply> {
  const batch = {
    async act(tx: Tx, asked: readonly Asked<Q>[]) {
      const unsure = asked.flatMap(({ player }) => player ?? [])
      const [alive, answers] = await Promise.all([
        unsure[0]?.unconfirmed?.areAlive(tx, unsure) ?? true,
        action(
          tx,
          asked.map(({ request }) => request),
          clock,
        ),
      ])
      // Of many this one is found by halves, as whatever else is wrong with one of a batch.
      if (!alive) refuse('not_authenticated')
      for (const { unconfirmed } of unsure) unconfirmed!.confirmed = true
      return answers
    },
    isRepeatable: ({ request }: Asked<Q>) => request.key !== null,
  }
  const submit = gather<Asked<Q>, Answer<Reply>>({
    run: (asked) => actInBatch(db, batch, asked),
    nameOf: ({ request: { wallet, key } }) => (key === null ? null : `${wallet} ${key.route} ${key.key}`),
  })
  return async (request, player) => {
    assert(!player || player.wallet === request.wallet, 'a player acts for the own wallet')
    return replyOf(await submit({ request, player: player?.unconfirmed ? player : null }))
  }
}
