import { median } from '../../bench/statistics.ts'

/** A straight line through values at equal distances. */
export type Trend = {
  /** Sen's slope: the median of the slopes between all pairs. */
  slope: number
  /** Its 95 % interval. */
  from: number
  to: number
}

/** How many values a half must have to be judged. */
const FEWEST = 4

/** Sen's slope and its interval by Kendall's variance (Sen 1968), which outliers hardly move. Needs three values. */
export function findTrend(values: readonly number[]): Trend {
  const count = values.length
  const slopes = values
    .flatMap((value, at) => values.slice(at + 1).map((other, distance) => (other - value) / (distance + 1)))
    .toSorted((a, b) => a - b)
  const reach = 1.96 * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18)
  const at = (rank: number): number => slopes[Math.min(slopes.length - 1, Math.max(0, Math.round(rank) - 1))]!
  return {
    slope: median(slopes),
    from: at((slopes.length - reach) / 2),
    to: at((slopes.length + reach) / 2 + 1),
  }
}

/**
 * Judges values that should not grow. They grow if the slope is significant and, over the whole time, above `tolerance` of
 * their median. They are too noisy if they could also have doubled.
 */
export function judgeGrowth(
  values: readonly number[],
  tolerance: number,
): 'flat within noise' | 'grows' | 'too noisy' {
  const { slope, from, to } = findTrend(values)
  const grownBy = (each: number): number => (each * (values.length - 1)) / median(values)
  if (from > 0 && grownBy(slope) >= tolerance) return 'grows'
  return from <= 0 && grownBy(to) >= 1 ? 'too noisy' : 'flat within noise'
}

/**
 * Judges memory that V8 or a process reserves. It may grow in steps, while V8 enlarges its heap or a cache fills. What still
 * grows in the second half of the time cannot be distinguished from a leak.
 */
export function judgeMemory(
  values: readonly number[],
  tolerance: number,
): ReturnType<typeof judgeGrowth> | 'grows in steps' {
  const verdict = judgeGrowth(values, tolerance)
  const middle = Math.floor(values.length / 2)
  if (verdict !== 'grows' || middle < FEWEST) return verdict
  return judgeGrowth(values.slice(middle), tolerance / 2) === 'grows' ? 'grows' : 'grows in steps'
}
