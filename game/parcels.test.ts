import { expect, test } from 'vitest'
import { type Cotton, cotton } from './cotton.ts'
import {
  basePriceOf,
  continentOf,
  nextPrice,
  previousPrice,
  priceToShow,
  SOLD_BAR_THRESHOLDS,
  SOLD_LABEL_ABOVE_PERCENT,
  soldBarColour,
  soldPercent,
  START_PRICE,
  tierOf,
} from './parcels.ts'

const tiers = (n: number): string => Array.from({ length: n }, (_, at) => tierOf(at + 1, n)).join('')

const colours = (path: keyof typeof SOLD_BAR_THRESHOLDS): string[] =>
  [70, 71, 75, 76, 90, 91].map((percent) => soldBarColour(percent, path))

test('every sale raises the price of the continent by two percent, rounded to whole $COTTON (A-07)', () => {
  expect(nextPrice(START_PRICE)).toBe(cotton(102_000))
  expect(nextPrice(cotton(102_000))).toBe(cotton(104_040))
  expect(nextPrice(cotton(104_040))).toBe(cotton(106_121))
  expect(nextPrice(cotton(25))).toBe(cotton(26))
  expect(nextPrice(cotton(24))).toBe(cotton(24))
})

test('a continent that sold out one parcel at a time has an exact price', () => {
  let price = START_PRICE
  for (let sold = 0; sold < 58; sold++) price = nextPrice(price)
  expect(price).toBe(cotton(315_360))
})

test('the previous price is the exact last price, for every price up to two million (A-08)', () => {
  const wrong: Cotton[] = []
  for (let whole = 1; whole <= 2_000_000; whole++) {
    const price = cotton(whole)
    if (previousPrice(nextPrice(price)) !== price) wrong.push(price)
  }
  expect(wrong).toEqual([])
  expect(previousPrice(cotton(102_000))).toBe(cotton(100_000))
})

test('the previous price rounds as the client rounds (S-33)', () => {
  const wrong: number[] = []
  for (let whole = 1; whole <= 300_000; whole += 7) {
    if (previousPrice(cotton(whole)) !== cotton(Math.round(whole / 1.02))) wrong.push(whole)
  }
  expect(wrong).toEqual([])
})

test('the largest 15 percent are tier 1, the larger half tier 2, the rest tier 3', () => {
  expect(tiers(14)).toBe('11122223333333')
  expect(tiers(20)).toBe('11122222223333333333')
  expect(tiers(4)).toBe('1233')
  expect(tiers(1)).toBe('1')
})

test('a parcel shows the price of its continent, else its base, else its tier, else its area (S-59, A-06)', () => {
  const known = { currentPrice: cotton(5), basePrice: cotton(4), tier: 1, area: 1000 } as const
  expect(priceToShow(known)).toBe(cotton(5))
  expect(priceToShow({ ...known, currentPrice: null })).toBe(cotton(4))
  expect(priceToShow({ tier: 1, area: 1000 })).toBe(cotton(150_000))
  expect(priceToShow({ tier: 2, area: 1000 })).toBe(cotton(100_000))
  expect(priceToShow({ tier: 3, area: 1000 })).toBe(cotton(80_000))
  expect(priceToShow({ area: 1000 })).toBe(cotton(1200))
  expect(basePriceOf(undefined, 12.5)).toBe(cotton(1003))
})

test('the sold share is rounded, and a continent without land has 0 percent sold (S-100)', () => {
  expect(soldPercent({ owned: 1, total: 3 })).toBe(33)
  expect(soldPercent({ owned: 1, total: 8 })).toBe(13)
  expect(soldPercent({ owned: 0, total: 0 })).toBe(0)
  expect(soldPercent({ owned: 58, total: 58 })).toBe(100)
})

test('the sold bar turns orange later for a figure from the WebSocket than for one from the API (S-100, A-15)', () => {
  expect(colours('api')).toEqual(['green', 'orange', 'orange', 'orange', 'orange', 'red'])
  expect(colours('socket')).toEqual(['green', 'green', 'green', 'orange', 'orange', 'red'])
})

test('the sold bar has a label above 15 percent (S-32)', () => {
  expect(SOLD_LABEL_ABOVE_PERCENT).toBe(15)
})

test('the id of a parcel starts with its continent, even if its country has the code of another', () => {
  expect(['AS-AF', 'AN-01'].map(continentOf)).toEqual(['AS', 'AN'])
})
