import { setTimeout as sleep } from 'node:timers/promises'
import { assert } from '#server/platform/assert.ts'
import type { Outcome } from '#server/platform/batcher.ts'
import { type Db, isDatabaseUnavailable, type Tx } from '#server/platform/db/db.ts'

type BatchAction<Q, A> = {
  act(tx: Tx, requests: readonly Q[]): Promise<readonly A[]>
  /** True if the request has a key. Its effect and its response are stored together, so a repetition has no new effect. */
  isIdempotent(request: Q): boolean
}

const MAX_RETRIES = 6
const INITIAL_BACKOFF_MS = 25

/**
 * Runs a batch in one transaction and returns one outcome for each request.
 *
 * If the connection breaks, it is unknown whether the transaction was committed. Requests with a key run again: they
 * either find their stored response or take effect now. Requests without a key fail.
 *
 * After any other error the batch is split in half until the failing request is alone, so the other requests succeed.
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
    // The database has answered, so the halves get all retries again.
    const half = requests.length >> 1
    return [...(await retry(requests.slice(0, half), 0)), ...(await retry(requests.slice(half), 0))]
  }
}
