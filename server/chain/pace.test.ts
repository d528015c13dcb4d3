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

/** When each of so many turns was given, in the order in which they were asked for. */
async function timeTurns(count: number): Promise<number[]> {
  const pace = createPace(PER_SECOND)
  const times: number[] = []
  await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      await pace()
      expect(times).toHaveLength(at)
      times.push(performance.now())
    }),
  )
  return times
}

test('turns are given in order and at the rate, with little catching up after the event loop was blocked', async () => {
  setTimeout(() => block(CATCH_UP_MS * 2), 200)
  const times = await timeTurns(200)
  for (const [first, from] of times.entries())
    for (const [last, to] of times.entries()) {
      const most = 2 + ((to - from + CATCH_UP_MS + EARLY_MS) / 1_000) * PER_SECOND
      if (last > first) expect(last - first).toBeLessThanOrEqual(most)
    }
  // A second without the block, and the part of it that may not be caught up.
  expect(times.at(-1)! - times[0]!).toBeLessThan(1_000 + CATCH_UP_MS + 400)
})

test('time without calls does not add up', async () => {
  const pace = createPace(20)
  await pace()
  await new Promise((waited) => setTimeout(waited, 1_000))
  const from = performance.now()
  for (let turn = 0; turn < 8; turn++) await pace()
  // Four of them at once, because they may catch up 200 ms.
  expect(performance.now() - from).toBeGreaterThanOrEqual(3 * 50 - EARLY_MS)
})

test('a call that was aborted while it waited is not made', async () => {
  const pace = createPace(100)
  await pace()
  await expect(pace(AbortSignal.abort())).rejects.toThrow('abort')
})
