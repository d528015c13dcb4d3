import { setImmediate as nextTurn } from 'node:timers/promises'
import { refuse } from './answer.ts'
import { assert } from './assert.ts'
import { CountByName } from './count-by-name.ts'
import { measure } from './measure.ts'

/** The outcome of one request of a batch. */
export type Outcome<A> = { readonly value: A; readonly error?: undefined } | { readonly error: unknown }

type BatcherOptions<Q, A> = {
  /** Runs a batch and returns one outcome for each request, in their order. If it rejects, all requests fail. */
  run(requests: readonly Q[]): Promise<readonly Outcome<A>[]>
  /** Requests with the same key never share a batch. Null never conflicts. */
  conflictKeyOf(request: Q): string | null
  /** Its name in the metrics. */
  name?: string
  maxBatchSize?: number
  /** With this many requests in the queue, further ones are refused as busy. */
  maxQueued?: number
  /** The same for those with one conflict key. Each takes a batch of its own, so a few callers could fill the queue. */
  maxQueuedOfKey?: number
}

type QueuedRequest<Q, A> = { request: Q; conflictKey: string | null; settle(outcome: Outcome<A>): void }

const MAX_BATCH_SIZE = 500
const MAX_QUEUED = 10_000
const MAX_QUEUED_OF_KEY = 100

/**
 * Collects single requests into batches. One batch runs at a time, and the next one fills meanwhile. Batches therefore
 * grow with the load, and without a timer a single request is not delayed.
 */
export function createBatcher<Q, A>({
  run,
  conflictKeyOf,
  name = 'unnamed',
  maxBatchSize = MAX_BATCH_SIZE,
  maxQueued = MAX_QUEUED,
  maxQueuedOfKey = MAX_QUEUED_OF_KEY,
}: BatcherOptions<Q, A>) {
  let queue: QueuedRequest<Q, A>[] = []
  const queuedByKey = new CountByName()
  let running = false

  const takeBatch = (): QueuedRequest<Q, A>[] => {
    const conflictKeys = new Set<string>()
    const batch: QueuedRequest<Q, A>[] = []
    const deferred: QueuedRequest<Q, A>[] = []
    for (const each of queue) {
      const fits =
        batch.length < maxBatchSize && (each.conflictKey === null || !conflictKeys.has(each.conflictKey))
      if (fits && each.conflictKey !== null) {
        conflictKeys.add(each.conflictKey)
        queuedByKey.remove(each.conflictKey)
      }
      ;(fits ? batch : deferred).push(each)
    }
    queue = deferred
    return batch
  }

  // Every request gets an outcome, whatever `run` does.
  const outcomesOf = async (batch: readonly QueuedRequest<Q, A>[]): Promise<readonly Outcome<A>[]> => {
    const from = performance.now()
    try {
      const outcomes = await run(batch.map((each) => each.request))
      assert(outcomes.length === batch.length, 'every request of a batch has one outcome')
      return outcomes
    } catch (error) {
      return batch.map(() => ({ error }))
    } finally {
      if (batch.length > 0)
        measure({ of: 'batch', action: name, size: batch.length, tookMs: performance.now() - from })
    }
  }

  const drainQueue = async (): Promise<void> => {
    let batch = takeBatch()
    let outcomes = outcomesOf(batch)
    while (batch.length > 0) {
      const [done, settled] = [batch, await outcomes]
      batch = takeBatch()
      if (batch.length > 0) {
        // Send the next batch before the callers of this one write their responses.
        outcomes = outcomesOf(batch)
        await nextTurn()
      }
      for (const [at, outcome] of settled.entries()) done[at]!.settle(outcome)
    }
    running = false
  }

  return async (request: Q): Promise<A> => {
    const conflictKey = conflictKeyOf(request)
    const isKeyFull = conflictKey !== null && queuedByKey.countOf(conflictKey) >= maxQueuedOfKey
    if (isKeyFull || queue.length >= maxQueued) refuse('busy')
    return new Promise<A>((resolve, reject) => {
      const settle = (outcome: Outcome<A>) =>
        'value' in outcome ? resolve(outcome.value) : reject(outcome.error as Error)
      queue.push({ request, conflictKey, settle })
      if (conflictKey !== null) queuedByKey.add(conflictKey)
      if (running) return
      running = true
      // Requests of the same turn of the event loop share the first batch.
      setImmediate(() => void drainQueue())
    })
  }
}
