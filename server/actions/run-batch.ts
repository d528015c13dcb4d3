import { setTimeout as sleep } from 'node:timers/promises'
import { assert } from '#server/platform/assert.ts'
import type { Outcome } from '#server/platform/batcher.ts'
import { type Db, isDatabaseUnavailable, type Tx } from '#server/platform/db/db.ts'

type BatchAction<Q, A> = {
  act(tx: Tx, requests: readonly Q[]): Promise<readonly A[]>
  /** Whether doing the request again does nothing new: it carries a key that is stored with its effect. */
  isIdempotent(request: Q): boolean
}

const MAX_RETRIES = 6
const INITIAL_BACKOFF_MS = 25

/**
 * Does a batch in one transaction. Where the connection breaks nobody knows whether it was committed: requests with a
 * key are sent again, which answers what was done; the others fail. Any other error is halved down to the request that
 * causes it, so that a bad one never fails its neighbours.
 */
export async function runBatch<Q, A>(
  db: Db,
  { act, isIdempotent }: BatchAction<Q, A>,
  requests: readonly Q[],
  attempt = 0,
): Promise<readonly Outcome<A>[]> {
  const retry = (part: readonly Q[], attemptsSoFar: number) =>
    runBatch(db, { act, isIdempotent }, part, attemptsSoFar)
  try {
    const answers = await db.transaction((tx) => act(tx, requests))
    assert(answers.length === requests.length, 'every request gets one answer')
    return answers.map((value) => ({ value }))
  } catch (error) {
    if (isDatabaseUnavailable(error)) {
      const retryable = attempt < MAX_RETRIES ? requests.filter(isIdempotent) : []
      if (retryable.length === 0) return requests.map(() => ({ error }))
      await sleep(INITIAL_BACKOFF_MS * 2 ** attempt)
      const outcomes = await retry(retryable, attempt + 1)
      const byRequest = new Map(retryable.map((request, at) => [request, outcomes[at]!]))
      return requests.map((request) => byRequest.get(request) ?? { error })
    }
    if (requests.length === 1) return [{ error }]
    // The database has answered: whatever it was out of reach for before is over.
    const half = requests.length >> 1
    return [...(await retry(requests.slice(0, half), 0)), ...(await retry(requests.slice(half), 0))]
  }
}
