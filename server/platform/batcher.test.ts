import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBatcher, type Outcome } from './batcher.ts'

const tensOf = (request: number): number => Math.floor(request / 10)

/** What became of requests: what was answered, or why it was refused. */
const outcomesOf = async (answers: readonly Promise<number>[]) =>
  (await Promise.allSettled(answers)).map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason),
  )

/** A batcher of numbers whose conflict key is their tens. Records each batch. */
function recorder(
  settings: { maxBatchSize?: number; maxQueued?: number; maxQueuedOfKey?: number; pauseMs?: number } = {},
) {
  const batches: number[][] = []
  const submit = createBatcher<number, number>({
    ...settings,
    conflictKeyOf: (request) => `ten ${tensOf(request)}`,
    async run(requests) {
      batches.push([...requests])
      await sleep(settings.pauseMs ?? 1)
      return requests.map((request): Outcome<number> =>
        request < 0 ? { error: new Error('below zero') } : { value: request * 2 },
      )
    },
  })
  return { batches, submit }
}

test('a single request does not wait for others', async () => {
  const { batches, submit } = recorder()
  expect(await submit(21)).toBe(42)
  expect(batches).toEqual([[21]])
})

/** A batcher whose batches end when the test says so. */
function gatedBatcher() {
  const events: string[] = []
  const gates: (() => void)[] = []
  const submit = createBatcher<number, number>({
    conflictKeyOf: () => null,
    async run(requests) {
      events.push(`sent ${requests.join(' ')}`)
      await new Promise<void>((open) => gates.push(open))
      return requests.map((value) => ({ value }))
    },
  })
  const answered = (request: number) => submit(request).then((value) => events.push(`answered ${value}`))
  const firstIsSent = () => expect.poll(() => gates.length).toBe(1)
  return { events, gates, answered, firstIsSent }
}

test('while a batch runs the next one fills, and batches run one at a time', async () => {
  const { events, gates, answered, firstIsSent } = gatedBatcher()
  const first = answered(0)
  await firstIsSent()
  const rest = [10, 20, 30, 40].map(answered)
  await sleep(5)
  expect(events).toEqual(['sent 0'])
  gates[0]!()
  await first
  gates[1]!()
  await Promise.all(rest)
  expect(events.filter((event) => event.startsWith('sent'))).toEqual(['sent 0', 'sent 10 20 30 40'])
})

test('the next batch is sent before the requests of this one are answered', async () => {
  const { events, gates, answered, firstIsSent } = gatedBatcher()
  const all = [answered(1)]
  await firstIsSent()
  all.push(answered(2))
  gates[0]!()
  await all[0]
  gates[1]!()
  await all[1]
  expect(events).toEqual(['sent 1', 'sent 2', 'answered 1', 'answered 2'])
})

test('requests with the same conflict key never share a batch, and stay in order', async () => {
  const { batches, submit } = recorder()
  await Promise.all([1, 2, 3, 11, 12].map(submit))
  expect(batches).toEqual([[1, 11], [2, 12], [3]])
})

test('a failure affects its own request only', async () => {
  const { submit } = recorder()
  expect(await outcomesOf([-5, 15, 25].map(submit))).toEqual(['Error: below zero', 30, 50])
})

test('a run that rejects fails its batch, and the next one succeeds', async () => {
  let broken = true
  const submit = createBatcher<number, number>({
    conflictKeyOf: () => null,
    run: async (requests) => {
      if (broken) throw new Error('broken')
      return requests.map((value) => ({ value }))
    },
  })
  await expect(Promise.all([submit(1), submit(2)])).rejects.toThrow('broken')
  broken = false
  expect(await submit(3)).toBe(3)
})

test('a full queue refuses as busy and serves what it accepted', async () => {
  const { submit } = recorder({ maxQueued: 3 })
  expect(await outcomesOf([10, 20, 30, 40].map(submit))).toEqual([20, 40, 60, 'Refused: busy'])
  expect(await submit(50)).toBe(100)
})

test('requests with one conflict key do not fill the queue', async () => {
  const { submit } = recorder({ maxQueued: 4, maxQueuedOfKey: 2 })
  const outcomes = await outcomesOf([1, 2, 3, 4, 11].map(submit))
  expect(outcomes).toEqual([2, 4, 'Refused: busy', 'Refused: busy', 22])
  expect(await Promise.all([5, 6].map(submit))).toEqual([10, 12])
})

test('every request gets its own answer, in any arrival order, and conflicting ones stay in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(200), { maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      async (requests, maxBatchSize) => {
        const { batches, submit } = recorder({ maxBatchSize, pauseMs: 0 })
        expect(await Promise.all(requests.map(submit))).toEqual(requests.map((request) => request * 2))
        expect(batches.every((batch) => batch.length <= maxBatchSize)).toBe(true)
        expect(batches.flat().toSorted()).toEqual(requests.toSorted())
        for (const batch of batches) expect(new Set(batch.map(tensOf)).size).toBe(batch.length)
        for (const tens of new Set(requests.map(tensOf))) {
          const ofKey = (each: readonly number[]) => each.filter((request) => tensOf(request) === tens)
          expect(ofKey(batches.flat())).toEqual(ofKey(requests))
        }
      },
    ),
    { numRuns: 50 },
  )
})
