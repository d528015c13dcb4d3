import { setImmediate as nextTurn } from 'node:timers/promises'
import { refuse } from './answer.ts'
import { assert } from './assert.ts'

/** What came of one request of a batch. */
export type Outcome<A> = { readonly value: A; readonly error?: undefined } | { readonly error: unknown }

type GatherSettings<Q, A> = {
  /** Does a batch: one outcome for each request, in their order. Where it rejects, all of them fail with that. */
  run(requests: readonly Q[]): Promise<readonly Outcome<A>[]>
  /** What no two requests of one batch may share; null for a request that goes with any other. */
  nameOf(request: Q): string | null
  /** The most requests in one batch. */
  most?: number
  /** The most requests that wait; one more is refused as busy. */
  room?: number
}

type Waiting<Q, A> = { request: Q; name: string | null; settle(outcome: Outcome<A>): void }

const MOST = 500
const ROOM = 10_000

/**
 * Makes one call of many. While a batch is on its way the next one gathers, so batches grow with the load and a lone
 * request never waits for company: there is no timer. One batch is on its way at a time.
 */
export function gather<Q, A>({ run, nameOf, most = MOST, room = ROOM }: GatherSettings<Q, A>) {
  let waiting: Waiting<Q, A>[] = []
  let running = false

  const takeBatch = (): Waiting<Q, A>[] => {
    const names = new Set<string>()
    const batch: Waiting<Q, A>[] = []
    const left: Waiting<Q, A>[] = []
    for (const each of waiting) {
      const fits = batch.length < most && (each.name === null || !names.has(each.name))
      if (fits && each.name !== null) names.add(each.name)
      ;(fits ? batch : left).push(each)
    }
    waiting = left
    return batch
  }

  // Whatever goes wrong, nobody waits for ever.
  const outcomesOf = async (batch: readonly Waiting<Q, A>[]): Promise<readonly Outcome<A>[]> => {
    try {
      const outcomes = await run(batch.map((each) => each.request))
      assert(outcomes.length === batch.length, 'every request of a batch has one outcome')
      return outcomes
    } catch (error) {
      return batch.map(() => ({ error }))
    }
  }

  const work = async (): Promise<void> => {
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
    if (waiting.length >= room) refuse('busy')
    return new Promise<A>((resolve, reject) => {
      const settle = (outcome: Outcome<A>) =>
        'value' in outcome ? resolve(outcome.value) : reject(outcome.error as Error)
      waiting.push({ request, name: nameOf(request), settle })
      if (running) return
      running = true
      // Requests that arrive in the same turn of the event loop go together from the start.
      setImmediate(() => void work())
    })
  }
}
