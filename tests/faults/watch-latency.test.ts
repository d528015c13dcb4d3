import { expect, test } from 'vitest'
import { judgeGrowth } from './trend.ts'
import { LatencyWatch } from './watch-latency.ts'

const MINUTES = Array.from({ length: 40 }, (_, minute) => minute)

/** The verdicts of a run, in which actions and reads take so many times as long as in the first minute. */
function judge(timesOf: (minute: number) => { actions: number; reads: number }): string[] {
  const watch = new LatencyWatch()
  for (const minute of MINUTES) {
    const { actions, reads } = timesOf(minute)
    watch.add([5 * actions, 8 * actions], [2 * reads, 3 * reads])
  }
  return watch.list().flatMap(({ isJudged, values }) => (isJudged ? [judgeGrowth(values, 0.05)] : []))
}

test('a machine that becomes slower is no fault, and actions that take longer than before are', () => {
  const slower = (minute: number): number => 1 + minute / 40
  expect(judge((minute) => ({ actions: slower(minute), reads: slower(minute) }))).toEqual(
    Array(2).fill('flat within noise'),
  )
  expect(judge((minute) => ({ actions: slower(minute), reads: 1 }))).toEqual(Array(2).fill('grows'))
})

test('a minute without an answer is left out', () => {
  const watch = new LatencyWatch()
  watch.add([], [1])
  watch.add([1], [])
  expect(watch.list().map(({ values }) => values)).toEqual([[], [], [], []])
})
