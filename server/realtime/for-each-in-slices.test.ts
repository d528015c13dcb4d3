import { expect, test } from 'vitest'
import { forEachInSlices } from './for-each-in-slices.ts'

function spin(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

test('the loop yields every few milliseconds and visits every element once', async () => {
  const acted: number[] = []
  const seen = [0]
  const others = setInterval(() => seen.push(acted.length), 1)
  const crowd = Array.from({ length: 100 }, (_, at) => at)
  await forEachInSlices(crowd, (each) => {
    acted.push(each)
    spin(1)
  })
  clearInterval(others)
  expect(acted).toEqual(crowd)
  const stalls = [...seen, acted.length].slice(1).map((now, at) => now - seen[at]!)
  expect(Math.max(...stalls)).toBeLessThanOrEqual(10)
})

test('every slice starts with its callback, and nothing else runs within a slice', async () => {
  let [turn, begun] = [0, 0]
  const others = setInterval(() => (turn += 1), 0)
  const slices = new Map<number, Set<number>>()
  await forEachInSlices(
    Array.from({ length: 100 }),
    () => {
      slices.set(begun, (slices.get(begun) ?? new Set()).add(turn))
      spin(0.5)
    },
    { sliceMs: 2, onSliceStart: () => (begun += 1) },
  )
  clearInterval(others)
  expect(slices.size).toBeGreaterThan(10)
  expect([...slices.keys()]).toEqual(Array.from({ length: slices.size }, (_, at) => at + 1))
  expect([...slices.values()].every((turns) => turns.size === 1)).toBe(true)
})
