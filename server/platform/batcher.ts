import { setImmediate as nextTurn } from 'node:timers/promises'
import { refuse } from './answer.ts'
import { assert } from './assert.ts'

/** What came of one request of a batch. */
export type Outcome<A> = { readonly value: A; readonly error?: undefined } | { readonly error: unknown }

type BatcherOptions<Q, A> = {
  /** Does a batch: one outcome for each request, in their order. Where it rejects, all of them fail with that. */
  run(requests: readonly Q[]): Promise<readonly Outcome<A>[]>
  /** What no two requests of one batch may share; null for a request that goes with any other. */
  conflictKeyOf(request: Q): string | null
  /** The most requests in one batch. */
  maxBatchSize?: number
  /** The most requests that wait; one more is refused as busy. */
  maxQueued?: number
}

type QueuedRequest<Q, A> = { request: Q; conflictKey: string | null; settle(outcome: Outcome<A>): void }

const MAX_BATCH_SIZE = 500
const MAX_QUEUED = 10_000

/**
 * Makes one call of many. While a batch is on its way the next one gathers, so batches grow with the load and a lone
 * request never waits for company: there is no timer. One batch is on its way at a time.
 */
export function createBatcher<Q, A>({
  run,
  conflictKeyOf,
  maxBatchSize = MAX_BATCH_SIZE,
  maxQueued = MAX_QUEUED,
}: BatcherOptions<Q, A>) {
  let queue: QueuedRequest<Q, A>[] = []
  let running = false

  const takeBatch = (): QueuedRequest<Q, A>[] => {
    const conflictKeys = new Set<string>()
    const batch: QueuedRequest<Q, A>[] = []
    const deferred: QueuedRequest<Q, A>[] = []
    for (const each of queue) {
      const fits =
        batch.length < maxBatchSize && (each.conflictKey === null || !conflictKeys.has(each.conflictKey))
      if (fits && each.conflictKey !== null) conflictKeys.add(each.conflictKey)
      ;(fits ? batch : deferred).push(each)
    }
    queue = deferred
    return batch
  }

  // Whatever goes wrong, nobody waits for ever.
  const outcomesOf = async (batch: readonly QueuedRequest<Q, A>[]): Promise<readonly Outcome<A>[]> => {
    try {
      const outcomes = await run(batch.map((each) => each.request))
      assert(outcomes.length === batch.length, 'every request of a batch has one outcome')
      return outcomes
    } catch (error) {
      return batch.map(() => ({ error }))
    }
  }

  const drainQueue = async (): Promise<void> => {
    let batch = takeBatch()
    let outcomes = outcomesOf(batch)
    while (batch.length > 0) {
      const [done, settled] = [batch, await outcomes]
      batch = takeBatch()
      if (batch.length > 0) {
        // The next batch is on its way before anybody answers those of this one.
        outcomes = outcomesOf(batch)
        await nextTurn()
      }
      for (const [at, outcome] of settled.entries()) done[at]!.settle(outcome)
    }
    running = false
  }

  return async (request: Q): Promise<A> => {
    if (queue.length >= maxQueued) refuse('busy')
    return new Promise<A>((resolve, reject) => {
      const settle = (outcome: Outcome<A>) =>
        'value' in outcome ? resolve(outcome.value) : reject(outcome.error as Error)
      queue.push({ request, conflictKey: conflictKeyOf(request), settle })
      if (running) return
      running = true
      // Requests that arrive in the same turn of the event loop go together from the start.
      setImmediate(() => void drainQueue())
    })
  }
}
