import { expect, test } from 'vitest'
import { MOST_COUNTED } from '#contract/console/today.ts'
import { consoleMessages } from './en-console.ts'

test('a thousand withdrawals in review, which are not counted further, may be more', () => {
  const { limitedCount, inReview } = consoleMessages
  expect([limitedCount(MOST_COUNTED - 1), inReview(MOST_COUNTED - 1)]).toEqual(['999', '999 in review'])
  expect([limitedCount(MOST_COUNTED), inReview(MOST_COUNTED)]).toEqual(['1,000+', '1,000 or more in review'])
})
