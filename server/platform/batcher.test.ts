import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBatcher, type Outcome } from './batcher.ts'

/** Gathers numbers by their tens; keeps what each batch held. */
function recorder(settings: { maxBatchSize?: number; maxQueued?: number; pauseMs?: number } = {}) {
  const batches: number[][] = []
  const submit = createBatcher<number, number>({
    ...settings,
    conflictKeyOf: (request) => `ten ${Math.floor(request / 10)}`,
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

test('a lone request does not wait for company', async () => {
  const { batches, submit } = recorder()
  expect(await submit(21)).toBe(42)
  expect(batches).toEqual([[21]])
})

test('while a batch is on its way the next one gathers, one at a time', async () => {
  const { batches, submit } = recorder({ pauseMs: 10 })
  const first = submit(0)
  await sleep(3)
  const rest = [10, 20, 30, 40].map(submit)
  expect(await Promise.all([first, ...rest])).toEqual([0, 20, 40, 60, 80])
  expect(batches).toEqual([[0], [10, 20, 30, 40]])
})

test('the next batch is on its way before those of this one are answered', async () => {
  const told: string[] = []
  const submit = createBatcher<number, number>({
    conflictKeyOf: () => null,
    async run(requests) {
      told.push(`asked ${requests.join(' ')}`)
      await sleep(5)
      return requests.map((value) => ({ value }))
    },
  })
  const first = submit(1).then((value) => told.push(`answered ${value}`))
  await sleep(2)
  await Promise.all([first, submit(2)])
  expect(told).toEqual(['asked 1', 'asked 2', 'answered 1'])
})

test('requests that share a name never share a batch, and keep their order', async () => {
  const { batches, submit } = recorder()
  await Promise.all([1, 2, 3, 11, 12].map(submit))
  expect(batches).toEqual([[1, 11], [2, 12], [3]])
})

test('a failure is its own request’s only', async () => {
  const { submit } = recorder()
  const outcomes = await Promise.allSettled([-5, 15, 25].map(submit))
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
})

test('a run that breaks fails its batch and leaves the next one whole', async () => {
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

test('a full queue refuses as busy and serves what it took', async () => {
  const { submit } = recorder({ maxQueued: 3 })
  const outcomes = await Promise.allSettled([10, 20, 30, 40].map(submit))
  expect(outcomes.map((outcome) => outcome.status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
  ])
  expect(await submit(50)).toBe(100)
})

test('every request gets its own answer, however they come', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(200), { maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      async (requests, maxBatchSize) => {
        const { batches, submit } = recorder({ maxBatchSize, pauseMs: 0 })
        expect(await Promise.all(requests.map(submit))).toEqual(requests.map((request) => request * 2))
        expect(batches.every((batch) => batch.length <= maxBatchSize)).toBe(true)
        expect(batches.flat().toSorted()).toEqual(requests.toSorted())
      },
    ),
    { numRuns: 50 },
  )
})
