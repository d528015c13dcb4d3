import { expect, test } from 'vitest'
import { cotton } from '#game/cotton.ts'
import { MILESTONES } from '#game/milestones.ts'
import { goalMessages } from './en-goals.ts'

const MINUTE_MS = 60_000

test.each([
  [1, 'in 1 m at your current rate'],
  [166 * MINUTE_MS, 'in 2 h 46 m at your current rate'],
  [120 * MINUTE_MS, 'in 2 h at your current rate'],
  [52 * 60 * MINUTE_MS, 'in 2 d 4 h at your current rate'],
  [52 * 60 * MINUTE_MS + 1, 'in 2 d 5 h at your current rate'],
  [100 * 24 * 60 * MINUTE_MS + 1, 'in 101 d at your current rate'],
  [24_000 * 60 * MINUTE_MS, 'in 1,000 d at your current rate'],
])('a forecast of %d ms is "%s"', (ms, text) => {
  expect(goalMessages.forecast(ms)).toBe(text)
})

test('a bar has all digits, and short ones from a billion on', () => {
  expect(goalMessages.amounts(cotton(4_089), cotton(50_000))).toBe('4,089 / 50,000 $COTTON')
  expect(goalMessages.amounts(cotton(123_456_789_012), cotton(1_000_000_000_000))).toBe(
    '123.45B / 1T $COTTON',
  )
  expect(goalMessages.amounts(cotton(999_999_999), cotton(1_000_000_000))).toBe('999.99M / 1B $COTTON')
})

test('every milestone has a title of its own', () => {
  const titles = MILESTONES.map(goalMessages.titleOf)
  expect(new Set(titles).size).toBe(titles.length)
  expect(titles).toEqual(
    expect.arrayContaining([
      'A second Kid',
      'Five BigMen',
      'All four of the family',
      '10M $COTTON harvested',
      'Three countries of South America',
      'All of Europe',
      'Land on two continents',
    ]),
  )
})

test('the first sale and the collection are of land, because sectors of Antarctica count, too', () => {
  const { collections, collectionHint } = goalMessages
  const firstSale = MILESTONES.filter(({ kind }) => kind === 'first-sale').map(goalMessages.titleOf)
  expect([collections, collectionHint, ...firstSale].filter((text) => /countr/i.test(text))).toEqual([])
})

test('the next hire is named by its place in the crew', () => {
  expect([0, 1, 2, 3].map((owned) => goalMessages.hireTitle('kid', owned))).toEqual([
    'Your first Kid',
    'A second Kid',
    'A third Kid',
    'Kid number 4',
  ])
})
