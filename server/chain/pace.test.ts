import { expect, test } from 'vitest'
import { CATCH_UP_MS, createPace } from './pace.ts'

const PER_SECOND = 200

// A timer of Node may be early by a millisecond or two.
const EARLY_MS = 3

/** Blocks the event loop, as a long computation does. */
function block(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** Asks for so many turns. `times` fills with when each was given, in the order in which they were asked for. */
function takeTurns(count: number): { times: number[]; done: Promise<unknown> } {
  const pace = createPace({ perSecond: PER_SECOND })
  const times: number[] = []
  const take = async (at: number) => {
    await pace()
    expect(times).toHaveLength(at)
    times.push(performance.now())
  }
  return { times, done: Promise.all(Array.from({ length: count }, (_, at) => take(at))) }
}

test('turns are given in order and at the rate, with little catching up after the event loop was blocked', async () => {
  const { times, done } = takeTurns(200)
  const caughtUp = new Promise<number>((resolve) => {
    setTimeout(() => {
      block(CATCH_UP_MS * 2)
      const before = times.length
      // What is caught up is given in one turn of the event loop.
      const resolveOnceGiven = (): void => {
        if (times.length > before) resolve(times.length - before)
        else setImmediate(resolveOnceGiven)
      }
      resolveOnceGiven()
    }, 200)
  })
  await done
  for (const [first, from] of times.entries())
    for (const [last, to] of times.entries()) {
      const most = 2 + ((to - from + CATCH_UP_MS + EARLY_MS) / 1_000) * PER_SECOND
      if (last > first) expect(last - first).toBeLessThanOrEqual(most)
    }
  expect(await caughtUp).toBeGreaterThanOrEqual((CATCH_UP_MS / 1_000) * PER_SECOND)
})

test('time without calls does not add up', async () => {
  const pace = createPace({ perSecond: 20 })
  await pace()
  await new Promise((waited) => setTimeout(waited, 1_000))
  const from = performance.now()
  for (let turn = 0; turn < 8; turn++) await pace()
  // Four of them at once, because they may catch up 200 ms.
  expect(performance.now() - from).toBeGreaterThanOrEqual(3 * 50 - EARLY_MS)
})

test('a call that was aborted while it waited is not made', async () => {
  const pace = createPace({ perSecond: 100 })
  await pace()
  await expect(pace(AbortSignal.abort())).rejects.toThrow('abort')
})

test('a call that would wait for too long is refused at once, and one that comes later is made', async () => {
  const pace = createPace({ perSecond: 50, maxWaitMs: 200 })
  const turns = await Promise.allSettled(Array.from({ length: 40 }, () => pace()))
  // Those whose turn is within the time, and the one after it.
  expect(turns.map(({ status }) => status)).toEqual([
    ...Array(11).fill('fulfilled'),
    ...Array(29).fill('rejected'),
  ])
  await expect(pace()).resolves.toBeUndefined()
})
