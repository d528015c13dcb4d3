import { assert } from '#server/platform/assert.ts'
import type { Outcome } from '#server/platform/batcher.ts'
import { type Db, isDatabaseUnavailable, type Tx } from '#server/platform/db/db.ts'
import { type Repetitions, startRepetitions } from '#server/platform/db/repeat-until-known.ts'

type BatchAction<Q, A> = {
  act(tx: Tx, requests: readonly Q[]): Promise<readonly A[]>
  /** True if the request has a key. Its effect and its response are stored together, so a repetition has no new effect. */
  isIdempotent(request: Q): boolean
}

/** Some requests of a batch are refused, and all is rolled back. `cause` is the error of these requests. */
export class SomeRefused extends Error {
  readonly requests: ReadonlySet<unknown>

  constructor(requests: readonly unknown[], cause: Error) {
    super('some requests of the batch are refused', { cause })
    this.requests = new Set(requests)
  }
}

/**
 * Runs a batch in one transaction and returns one outcome for each request.
 *
 * If the connection breaks at the commit, it is unknown whether the transaction was committed. Requests with a key run
 * again: they either find their stored response or take effect now. If the database stays away, and for requests without a
 * key, the outcome is an `UnknownOutcomeError`. What broke before its commit has not happened.
 *
 * Without the requests that a `SomeRefused` names, the others run again at once.
 *
 * After any other error the batch is split in half until the failing request is alone, so the other requests succeed.
 */
export async function runBatch<Q, A>(
  db: Db,
  { act, isIdempotent }: BatchAction<Q, A>,
  requests: readonly Q[],
  repetitions: Repetitions = startRepetitions(),
): Promise<readonly Outcome<A>[]> {
  const run = (part: readonly Q[], repeated: Repetitions) =>
    runBatch(db, { act, isIdempotent }, part, repeated)
  /** Runs a part again. The other requests have this error. */
  const runPart = async (part: readonly Q[], repeated: Repetitions, error: unknown) => {
    const outcomes = part.length === 0 ? [] : await run(part, repeated)
    const byRequest = new Map(part.map((request, at) => [request, outcomes[at]!]))
    return requests.map((request) => byRequest.get(request) ?? { error })
  }
  try {
    const answers = await db.transaction((tx) => act(tx, requests))
    assert(answers.length === requests.length, 'every request gets one answer')
    return answers.map((value) => ({ value }))
  } catch (error) {
    if (error instanceof SomeRefused) {
      const rest = requests.filter((request) => !error.requests.has(request))
      return runPart(rest, repetitions.split(), repetitions.answerWith(error.cause))
    }
    if (isDatabaseUnavailable(error)) {
      const retryable = requests.filter(isIdempotent)
      if (retryable.length === 0 || !(await repetitions.next(error)))
        return requests.map((request) => ({
          error: isIdempotent(request) ? repetitions.answerWith(error) : error,
        }))
      return runPart(retryable, repetitions, error)
    }
    if (requests.length === 1) return [{ error: repetitions.answerWith(error) }]
    const half = requests.length >> 1
    return [
      ...(await run(requests.slice(0, half), repetitions.split())),
      ...(await run(requests.slice(half), repetitions.split())),
    ]
  }
}
