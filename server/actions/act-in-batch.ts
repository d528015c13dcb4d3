import { setTimeout as sleep } from 'node:timers/promises'
import { assert } from '#server/platform/assert.ts'
import type { Outcome } from '#server/platform/gather.ts'
import { type Db, isUnavailable, type Tx } from '#server/platform/db/db.ts'

type Batch<Q, A> = {
  act(tx: Tx, requests: readonly Q[]): Promise<readonly A[]>
  /** Whether doing the request again does nothing new: it carries a key that is stored with its effect. */
  isRepeatable(request: Q): boolean
}

const TRIES = 6
const FIRST_WAIT_MS = 25

/**
 * Does a batch in one transaction. Where the connection breaks nobody knows whether it was committed: requests with a
 * key are sent again, which answers what was done; the others fail. Any other error is halved down to the request that
 * causes it, so that a bad one never fails its neighbours.
 */
export async function actInBatch<Q, A>(
  db: Db,
  { act, isRepeatable }: Batch<Q, A>,
  requests: readonly Q[],
  tried = 0,
): Promise<readonly Outcome<A>[]> {
  const again = (part: readonly Q[], tries: number) => actInBatch(db, { act, isRepeatable }, part, tries)
  try {
    const answers = await db.transaction((tx) => act(tx, requests))
    assert(answers.length === requests.length, 'every request gets one answer')
    return answers.map((value) => ({ value }))
  } catch (error) {
    if (isUnavailable(error)) {
      const repeatable = tried < TRIES ? requests.filter(isRepeatable) : []
      if (repeatable.length === 0) return requests.map(() => ({ error }))
      await sleep(FIRST_WAIT_MS * 2 ** tried)
      const outcomes = await again(repeatable, tried + 1)
      const byRequest = new Map(repeatable.map((request, at) => [request, outcomes[at]!]))
      return requests.map((request) => byRequest.get(request) ?? { error })
    }
    if (requests.length === 1) return [{ error }]
    // The database has answered: whatever it was out of reach for before is over.
    const half = requests.length >> 1
    return [...(await again(requests.slice(0, half), 0)), ...(await again(requests.slice(half), 0))]
  }
}
