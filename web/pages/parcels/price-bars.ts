import type { Sale } from '#web/land/use-listings.ts'

/** Sizes in pixels: height of the chart, width of a slot and of its bar, y of the baseline and of the highest bar. */
export const CHART = { height: 132, slot: 58, bar: 40, baseline: 108, top: 24 } as const

/** A phone has room for this many bars. */
export const MAX_BARS = 6

/** Keeps a bar visible beside one that is a thousand times as high. */
const MIN_HEIGHT = 4

export type Bar = { sale: Sale; x: number; y: number; height: number }

/** The newest sales as bars on a common baseline, oldest first. */
export function toBars(sales: readonly Sale[]): readonly Bar[] {
  const newest = sales.slice(-MAX_BARS)
  const highest = Math.max(...newest.map(({ price }) => Number(price)))
  return newest.map((sale, at) => {
    const height = Math.max(MIN_HEIGHT, ((CHART.baseline - CHART.top) * Number(sale.price)) / highest)
    return { sale, x: at * CHART.slot + (CHART.slot - CHART.bar) / 2, y: CHART.baseline - height, height }
  })
}
