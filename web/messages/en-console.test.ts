import { expect, test } from 'vitest'
import { MOST_COUNTED } from '#contract/console/today.ts'
import { consoleMessages } from './en-console.ts'

test('a thousand withdrawals in review, which are not counted further, may be more', () => {
  const { limitedCount, inReview } = consoleMessages
  expect([limitedCount(MOST_COUNTED - 1), inReview(MOST_COUNTED - 1)]).toEqual(['999', '999 in review'])
  expect([limitedCount(MOST_COUNTED), inReview(MOST_COUNTED)]).toEqual(['1,000+', '1,000 or more in review'])
})

test('counts of rows and of days have thousands separators', () => {
  const { shownOfMore, shownAll, age } = consoleMessages
  expect(shownOfMore(1_050)).toBe('The first 1,050 are shown')
  expect(shownAll(1_050)).toBe('All 1,050 are shown')
  expect(age(1_050 * 24 * 3_600_000)).toBe('1,050 days')
})
