import { expect, test } from 'vitest'
import { MOST_COUNTED } from '#contract/console/today.ts'
import { consoleMessages } from './en-console.ts'

test('a thousand withdrawals in review, which are not counted further, may be more', () => {
  const { countInReview, inReview } = consoleMessages
  expect([countInReview(MOST_COUNTED - 1), inReview(MOST_COUNTED - 1)]).toEqual(['999', '999 in review'])
  expect([countInReview(MOST_COUNTED), inReview(MOST_COUNTED)]).toEqual(['1,000+', '1,000 or more in review'])
})
