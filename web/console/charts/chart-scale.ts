/** Round steps that divide a range of values into about `count` parts; the range grows to whole steps. */
export function roundTicks({ min, max, count }: { min: number; max: number; count: number }): number[] {
  const range = max - min
  if (!Number.isFinite(range)) return [0, 1]
  if (range === 0) return min === 0 ? [0, 1] : min > 0 ? [0, min] : [min, 0]
  const rough = range / Math.max(1, count)
  const magnitude = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * magnitude >= rough) ?? 10
  const step = factor * magnitude
  const first = Math.floor(min / step)
  const last = Math.ceil(max / step)
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}

/** Maps a value of the range to a position between two ends. */
export function scaleBetween({
  range: [low, high],
  ends: [from, to],
}: {
  range: readonly [number, number]
  ends: readonly [number, number]
}): (value: number) => number {
  const size = high - low || 1
  return (value) => from + ((value - low) / size) * (to - from)
}

/** About `count` of these elements, evenly spread, with the first and the last. */
export function pickEvenly<T>(elements: readonly T[], count: number): T[] {
  if (elements.length <= count) return [...elements]
  const indices = Array.from({ length: count }, (_, index) =>
    Math.round((index * (elements.length - 1)) / (count - 1)),
  )
  return [...new Set(indices)].flatMap((index) => elements.slice(index, index + 1))
}
