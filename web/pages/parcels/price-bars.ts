import type { Sale } from '#web/land/use-listings.ts'

/** Pixels of the chart: of its whole, of the place of a bar and of the bar in it, and where the ground is. */
export const CHART = { height: 132, slot: 58, bar: 40, baseline: 108, top: 24 } as const

/** As many bars as a phone has room for. */
export const MAX_BARS = 6

/** A bar is seen even where another one is a thousand times as high. */
const MIN_HEIGHT = 4

export type Bar = { sale: Sale; x: number; y: number; height: number }

/** The newest sales as bars that stand on a common zero, oldest first. */
export function toBars(sales: readonly Sale[]): readonly Bar[] {
  const newest = sales.slice(-MAX_BARS)
  const highest = Math.max(...newest.map(({ price }) => Number(price)))
  return newest.map((sale, at) => {
    const height = Math.max(MIN_HEIGHT, ((CHART.baseline - CHART.top) * Number(sale.price)) / highest)
    return { sale, x: at * CHART.slot + (CHART.slot - CHART.bar) / 2, y: CHART.baseline - height, height }
  })
}
