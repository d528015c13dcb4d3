import { array, assert, integer, property, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { createServerClock } from './server-clock.ts'

/** A server that is `offsetMs` ahead, asked at local `at` with these delays on the way there and back. */
function reading(offsetMs: number, at: number, there: number, back: number) {
  const serverSecondMs = Math.floor((at + there + offsetMs) / 1_000) * 1_000
  return { serverSecondMs, sentAtMs: at, receivedAtMs: at + there + back }
}

test('without a response the local clock is used', () => {
  const clock = createServerClock(() => 1_000)
  expect(clock.now()).toEqual(new Date(1_000))
})

test('after some responses the clock is exact to the shortest round trip and the second of the header', () => {
  const instant = integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 })
  const delay = integer({ min: 1, max: 400 })
  assert(
    property(
      integer({ min: -86_400_000, max: 86_400_000 }),
      array(tuple(instant, delay, delay), { minLength: 1 }),
      (offsetMs, calls) => {
        const clock = createServerClock()
        for (const [at, there, back] of calls) clock.addSample(reading(offsetMs, at, there, back))
        const worst = 1_000 + Math.min(...calls.map(([, there, back]) => there + back))
        expect(Math.abs(clock.offsetMs() - offsetMs)).toBeLessThanOrEqual(worst)
      },
    ),
  )
})

test('many responses bring a clock that is an hour off to within a fifth of a second (A-13)', () => {
  const clock = createServerClock()
  for (let call = 0; call < 40; call++)
    clock.addSample(reading(3_600_000, 1_700_000_000_000 + call * 1_037, 20, 20))
  expect(Math.abs(clock.offsetMs() - 3_600_000)).toBeLessThan(200)
})

test('a clock that was set in between is used at once', () => {
  const clock = createServerClock()
  clock.addSample(reading(0, 1_700_000_000_000, 10, 10))
  clock.addSample(reading(60_000, 1_700_000_005_000, 10, 10))
  expect(Math.abs(clock.offsetMs() - 60_000)).toBeLessThan(1_000)
})

test('a missing date changes nothing', () => {
  const nothing = { serverSecondMs: Number.NaN, sentAtMs: 0, receivedAtMs: 1 }
  const clock = createServerClock()
  clock.addSample(nothing)
  expect(clock.offsetMs()).toBe(0)
  clock.addSample(reading(60_000, 1_700_000_000_000, 10, 10))
  const known = clock.offsetMs()
  clock.addSample(nothing)
  expect(clock.offsetMs()).toBe(known)
})
