import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

/** Blocks the event loop, as a long computation does. */
function block(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

// A timer of Node may be early by a millisecond or two.
const EARLY_MS = 3

test('turns are given in order and apart, even after the event loop was blocked', async () => {
  const pace = createPace(100)
  const turns: { at: number; ms: number }[] = []
  setTimeout(() => block(100), 30)
  await Promise.all(
    Array.from({ length: 21 }, async (_, at) => {
      await pace()
      turns.push({ at, ms: performance.now() })
    }),
  )
  expect(turns.map(({ at }) => at)).toEqual(Array.from({ length: 21 }, (_, at) => at))
  const gaps = turns.slice(1).map(({ ms }, at) => ms - turns[at]!.ms)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10 - EARLY_MS)
})

test('time without calls does not add up to a burst', async () => {
  const pace = createPace(20)
  await pace()
  await new Promise((waited) => setTimeout(waited, 200))
  await pace()
  const from = performance.now()
  await pace()
  expect(performance.now() - from).toBeGreaterThanOrEqual(50 - EARLY_MS)
})

test('a call that was aborted while it waited is not made', async () => {
  const pace = createPace(100)
  await pace()
  await expect(pace(AbortSignal.abort())).rejects.toThrow('abort')
})
