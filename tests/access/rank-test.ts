/**
 * The probability that a value of the first list is larger than one of the second, with ties counted half (the statistic U
 * of Mann and Whitney, divided by the number of pairs). 0.5 if they do not differ. Outliers count like any other value.
 */
export function chanceToBeSlower(first: readonly number[], second: readonly number[]): number {
  const all = [
    ...first.map((value) => ({ value, isFirst: true })),
    ...second.map((value) => ({ value, isFirst: false })),
  ].toSorted((a, b) => a.value - b.value)
  let rankSum = 0
  for (let from = 0, to = 0; from < all.length; from = to) {
    while (to < all.length && all[to]!.value === all[from]!.value) to++
    const rank = (from + 1 + to) / 2
    rankSum += rank * all.slice(from, to).filter(({ isFirst }) => isFirst).length
  }
  return (rankSum - (first.length * (first.length + 1)) / 2) / (first.length * second.length)
}
