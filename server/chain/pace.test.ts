import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPace } from './pace.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

test('turns are given in order and evenly apart, however many ask at once', async () => {
  vi.useRealTimers()
  const pace = createPace(100)
  const from = performance.now()
  const turns: { at: number; ms: number }[] = []
  await Promise.all(
    Array.from({ length: 31 }, async (_, at) => {
      await pace()
      turns.push({ at, ms: performance.now() - from })
    }),
  )
  expect(turns.map(({ at }) => at)).toEqual(Array.from({ length: 31 }, (_, at) => at))
  // A timer of Node may be early by a millisecond.
  for (const { at, ms } of turns) expect(ms).toBeGreaterThanOrEqual(at * 10 - 2)
})

test('time without calls does not add up to a burst', async () => {
  const pace = createPace(2)
  await pace()
  vi.advanceTimersByTime(60_000)
  await pace()
  const aborted = AbortSignal.abort()
  await expect(pace(aborted)).rejects.toThrow('abort')
})
