import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { toBars, CHART, MAX_BARS } from './price-bars.ts'

const sale = (price: number, day: number) =>
  ({ price: cotton(price), at: `2026-01-0${day}T12:00:00.000Z`, by: 'player' }) as const

test('bars have a common baseline: half the price is half the height', () => {
  const [first, second] = toBars([sale(100_000, 1), sale(200_000, 2)])
  expect(second!.height).toBe(CHART.baseline - CHART.top)
  expect(first!.height).toBe(second!.height / 2)
  expect(first!.y + first!.height).toBe(CHART.baseline)
  expect(first!.x).toBeLessThan(second!.x)
})

test('of many sales the newest are shown, and the smallest bar is visible', () => {
  const bars = toBars([sale(5, 1), sale(1e12, 2), sale(1, 3), sale(1, 4), sale(1, 5), sale(1, 6), sale(1, 7)])
  expect(bars).toHaveLength(MAX_BARS)
  expect(bars[0]!.sale.price).toBe(cotton(1e12))
  expect(bars.at(-1)!.height).toBe(4)
})
